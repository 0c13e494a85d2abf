#include "dovetail/transformations/low_precision/analysis/integer_flow.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/base/status.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/low_precision/analysis/linear.h"
#include "dovetail/transformations/low_precision/analysis/transparent.h"

namespace dovetail {
namespace {

// What a value has to keep of its 256 levels when it gets common parameters.
constexpr float kMinLevels = 32;

// How many operations behind a linear one may be computed with it.
constexpr int kMostBehind = 6;

}  // namespace

void IntegerFlow::Entry::WantAs(const Entry& other) {
  is_wanted |= other.is_wanted;
  is_wanted_signed |= other.is_wanted_signed;
  is_better_unsigned |= other.is_better_unsigned;
  is_better_signed |= other.is_better_signed;
}

const IntegerFlow::Entry* IntegerFlow::Find(Value value) const {
  if (!value) return nullptr;
  const auto found = entries_.find({value.node->id(), value.index});
  return found != entries_.end() ? &found->second : nullptr;
}

IntegerFlow::Entry* IntegerFlow::Find(Value value) {
  return const_cast<Entry*>(std::as_const(*this).Find(value));
}

absl::StatusOr<IntegerFlow> IntegerFlow::Of(
    const Model& model, const LowPrecisionOptions& options) {
  IntegerFlow flow(options);
  DOVETAIL_ASSIGN_OR_RETURN(flow.order_, model.TopologicalOrder());
  for (Node* node : flow.order_) {
    flow.places_[node->id()] = flow.places_.size();
    flow.FindParams(*node);
  }
  for (auto it = flow.order_.rbegin(); it != flow.order_.rend(); ++it) {
    flow.WantInputs(**it);
  }
  return flow;
}

void IntegerFlow::FindParams(Node& node) {
  std::optional<Entry> entry;
  if (node.Is("FakeQuantize")) {
    entry = EntryOfFakeQuantize(node);
  } else if (TransparentInputs(node) > 0) {
    entry = EntryBehind(node);
  } else if (const auto found = MatchDequantization(
                 node.output_count() > 0 ? node.output() : Value{})) {
    entry.emplace();
    entry->params = found->params;
    const auto as_signed = SignedParams(found->params);
    entry->can_be_signed = found->params.type == ElementType::kI8 && as_signed;
  }
  if (!entry.has_value()) return;
  for (int i = 0; i < node.output_count(); ++i) {
    if (IsTransparentOutput(node, i)) entries_[{node.id(), i}] = *entry;
  }
}

std::optional<IntegerFlow::Entry> IntegerFlow::EntryOfFakeQuantize(
    const Node& node) const {
  if (ConstantOf(node.input(0)) != nullptr) return std::nullopt;
  const auto params = QuantizationParamsOf(node);
  if (!params.has_value()) return std::nullopt;
  const auto as_signed = SignedParams(*params);
  Entry entry;
  entry.can_be_signed = as_signed.has_value();
  entry.params = *params;
  return entry;
}

std::optional<IntegerFlow::Entry> IntegerFlow::EntryBehind(
    const Node& node) const {
  std::vector<QuantizationParams> all_params;
  Entry entry;
  entry.can_be_signed = true;
  for (int i = 0; i < TransparentInputs(node); ++i) {
    const Entry* input = Find(node.input(i));
    if (input == nullptr) return std::nullopt;
    all_params.push_back(input->params);
    entry.can_be_signed &= input->can_be_signed;
  }
  const bool same = std::all_of(
      all_params.begin(), all_params.end(),
      [&](const auto& params) { return SameParams(params, all_params[0]); });
  if (same) {
    entry.params = all_params[0];
  } else {
    const auto common = CommonParams(all_params);
    if (!options_.align_quantization || !common.has_value())
      return std::nullopt;
    entry.params = *common;
    entry.can_be_signed = false;
  }
  if (!KeepsParams(node, entry.params)) return std::nullopt;
  return entry;
}

void IntegerFlow::WantInputs(Node& node) {
  if (IsLinear(node)) {
    Want(node);
    return;
  }
  if (node.Is("FakeQuantize")) {
    Entry* const entry = Find(node.output());
    if (entry != nullptr && !entry->params.is_per_channel()) {
      entry->is_wanted |= IsStored(node);
    }
  }
  Entry wanted;
  for (int i = 0; i < node.output_count(); ++i) {
    const Entry* entry = Find(node.output(i));
    if (entry != nullptr) wanted.WantAs(*entry);
  }
  if (!wanted.is_wanted) return;
  // What is joined has to have one type, whatever else reads a part of it.
  wanted.is_better_unsigned |= TransparentInputs(node) > 1;
  for (int i = 0; i < TransparentInputs(node); ++i) {
    if (Entry* input = Find(node.input(i))) input->WantAs(wanted);
  }
}

// Whether what the node computes has to be stored for readers that read
// integers: for several; or, where a linear operation makes it, for a sum that
// has to wait for its other operand. Others compute at once with what the node
// gives.
bool IntegerFlow::IsStored(const Node& node) const {
  const std::vector<Use>& uses = node.port().uses;
  const bool all_read_integers = std::all_of(
      uses.begin(), uses.end(),
      [this](const Use& use) { return options_.ReadsIntegers(*use.node); });
  if (!all_read_integers || uses.empty()) return false;
  if (uses.size() > 1) return true;
  const Node& reader = *uses[0].node;
  return reader.Is("Add") && IsBehindLinear(node, kMostBehind) &&
         IsBefore(node, reader.input(1 - uses[0].input));
}

// Whether a linear operation computes what the node is made of, with arithmetic
// and activations behind it.
bool IntegerFlow::IsBehindLinear(const Node& node, int depth) const {
  const std::vector<Value> inputs = node.inputs();
  return std::any_of(inputs.begin(), inputs.end(), [&](Value input) {
    if (!input || ConstantOf(input) != nullptr) return false;
    const Node& before = *input.node;
    return IsLinear(before) || (depth > 0 && options_.ReadsIntegers(before) &&
                                IsBehindLinear(before, depth - 1));
  });
}

bool IntegerFlow::IsBefore(const Node& node, Value value) const {
  return ConstantOf(value) == nullptr &&
         places_.at(node.id()) < places_.at(value.node->id());
}

void IntegerFlow::Want(const Node& node) {
  Entry* data = Find(node.input(0));
  if (data == nullptr || !options_.TakesIntegers(node)) return;
  if (MatchIntegerWeights(node).has_value()) {
    if (!AcceptsData(node, data->params)) return;
    data->is_wanted = true;
    const bool as_signed = options_.PrefersSigned(node);
    data->is_better_signed |= as_signed;
    data->is_better_unsigned |= !as_signed;
  } else {
    WantFactors(node);
  }
}

void IntegerFlow::WantFactors(const Node& matmul) {
  Entry* a = Find(matmul.input(0));
  Entry* b = Find(matmul.input(1));
  if (b == nullptr || !b->can_be_signed) return;
  const auto params = SignedParams(b->params);
  if (!params.has_value() || !AcceptsFactors(matmul, a->params, *params))
    return;
  a->is_wanted = b->is_wanted = b->is_wanted_signed = true;
}

std::optional<QuantizationParams> CommonParams(
    const std::vector<QuantizationParams>& all_params) {
  constexpr float kSteps = 255;
  float low = 0, high = 0;
  for (const QuantizationParams& params : all_params) {
    if (params.is_per_channel() || params.type != ElementType::kU8) return {};
    low = std::min(low, -params.zero_point[0] * params.scale[0]);
    high = std::max(high, (kSteps - params.zero_point[0]) * params.scale[0]);
  }
  QuantizationParams common;
  common.scale[0] = (high - low) / kSteps;
  common.zero_point[0] = std::nearbyint(-low / common.scale[0]);
  for (const QuantizationParams& params : all_params) {
    const float levels = kSteps * params.scale[0] / common.scale[0];
    if (!(levels >= kMinLevels)) return std::nullopt;
  }
  // One that has them all stays as it is.
  for (const QuantizationParams& params : all_params) {
    if (std::abs(params.scale[0] - common.scale[0]) <=
            1e-5f * params.scale[0] &&
        HasZero(params)) {
      return params;
    }
  }
  return common;
}

}  // namespace dovetail
