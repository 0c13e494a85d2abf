#include "dovetail/transformations/low_precision/quantize_before_concat.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/node_builder.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail {
namespace {

constexpr int kRanges = 4;  // of a FakeQuantize: its inputs from 1 on

// A Convert to integers of what is quantized behind a Concat.
struct Match {
  Node* convert = nullptr;
  Node* quantize = nullptr;
  Node* concat = nullptr;
  // Numbers of the ranges: one, or one a channel.
  std::vector<float> ranges[kRanges];
};

Node* OnlySource(const Node& node, OpType type) {
  Node* const source = node.input(0).node;
  return source->Is(type) && source->port().uses.size() == 1 ? source : nullptr;
}

// Whether floats are computed there: not what integers stand for, nor what is
// given.
bool IsComputed(Value source) {
  const PartialShape& shape = source.shape();
  return source.type() == ElementType::kF32 && shape.rank_known() &&
         shape.rank() > 1 && shape[1].is_static() &&
         !source.node->Is("Parameter") && ConstantOf(source) == nullptr &&
         !MatchDequantization(source).has_value();
}

bool JoinsComputedChannels(const Node& concat) {
  const auto* attributes = concat.As<ConcatAttributes>();
  const PartialShape& shape = concat.port().shape;
  if (attributes == nullptr || !shape.rank_known() || shape.rank() < 2 ||
      (attributes->axis != 1 && attributes->axis != 1 - shape.rank())) {
    return false;
  }
  for (int i = 0; i < concat.input_count(); ++i) {
    if (!IsComputed(concat.input(i))) return false;
  }
  return true;
}

std::optional<Match> MatchOf(Node& convert) {
  if (!convert.Is("Convert") || !IsByte(convert.port().type)) {
    return std::nullopt;
  }
  Match match;
  match.convert = &convert;
  match.quantize = OnlySource(convert, "FakeQuantize");
  if (match.quantize == nullptr) return std::nullopt;
  const auto* attributes = match.quantize->As<FakeQuantizeAttributes>();
  if (attributes == nullptr ||
      attributes->auto_broadcast != AutoBroadcast::kNumpy) {
    return std::nullopt;
  }
  match.concat = OnlySource(*match.quantize, "Concat");
  if (match.concat == nullptr || !JoinsComputedChannels(*match.concat)) {
    return std::nullopt;
  }
  const PartialShape& shape = match.concat->port().shape;
  for (int i = 0; i < kRanges; ++i) {
    auto numbers = ChannelNumbers(match.quantize->input(i + 1), shape.rank());
    if (!numbers.has_value()) return std::nullopt;
    const auto count = static_cast<int64_t>(numbers->size());
    if (count != 1 && count != shape[1].value()) return std::nullopt;
    match.ranges[i] = *std::move(numbers);
  }
  return match;
}

// The integers of one source, whose channels begin at `first`.
Value IntegersOf(NodeBuilder& b, const Match& match, Value source,
                 int64_t first) {
  std::vector<Value> inputs = {source};
  for (int i = 0; i < kRanges; ++i) {
    const std::vector<float>& range = match.ranges[i];
    if (range.size() == 1) {
      inputs.push_back(match.quantize->input(i + 1));
      continue;
    }
    const auto from = range.begin() + first;
    inputs.push_back(ChannelConstant(
        b, {from, from + source.shape()[1].value()}, source.shape().rank()));
  }
  const Value quantized = b.MakeAll(match.quantize->op(), inputs,
                                    match.quantize->attributes().Clone())[0];
  return b.Convert(quantized, match.convert->port().type);
}

absl::Status Move(Model& model, const Match& match) {
  NodeBuilder b(model, *match.convert);
  std::vector<Value> parts;
  int64_t first = 0;
  for (int i = 0; i < match.concat->input_count(); ++i) {
    const Value source = match.concat->input(i);
    parts.push_back(IntegersOf(b, match, source, first));
    first += source.shape()[1].value();
  }
  const Value joined = b.Concat(parts, 1);
  if (!b.status().ok()) return b.status();
  model.ReplaceNode(match.convert, {joined});
  return absl::OkStatus();
}

absl::StatusOr<bool> MoveIn(Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                            model.TopologicalOrder());
  bool changed = false;
  for (Node* node : order) {
    const std::optional<Match> match = MatchOf(*node);
    if (!match.has_value()) continue;
    DOVETAIL_RETURN_IF_ERROR(Move(model, *match));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> QuantizeBeforeConcat::Run(Model& model) {
  return ForEachModel(model, &MoveIn);
}

}  // namespace dovetail
