#include "dovetail/transformations/low_precision/integer_flow.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/base/status.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/low_precision/linear.h"
#include "dovetail/transformations/low_precision/transparent.h"

namespace dovetail {
namespace {

// What a value has to keep of its 256 levels when it gets a common grid.
constexpr float kMinLevels = 32;

}  // namespace

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
  for (Node* node : flow.order_) flow.FindGrids(*node);
  for (auto it = flow.order_.rbegin(); it != flow.order_.rend(); ++it) {
    flow.WantInputs(**it);
  }
  return flow;
}

void IntegerFlow::FindGrids(Node& node) {
  std::optional<Entry> entry;
  if (node.Is("FakeQuantize")) {
    entry = EntryOfFakeQuantize(node);
  } else if (TransparentInputs(node) > 0) {
    entry = EntryBehind(node);
  } else if (const auto found = MatchDequantization(
                 node.output_count() > 0 ? node.output() : Value{})) {
    entry.emplace();
    entry->grid = found->grid;
    const auto as_signed = SignedGrid(found->grid);
    entry->can_be_signed = found->grid.type == ElementType::kI8 && as_signed;
  }
  if (!entry.has_value()) return;
  for (int i = 0; i < node.output_count(); ++i) {
    if (IsTransparentOutput(node, i)) entries_[{node.id(), i}] = *entry;
  }
}

std::optional<IntegerFlow::Entry> IntegerFlow::EntryOfFakeQuantize(
    const Node& node) const {
  if (ConstantOf(node.input(0)) != nullptr) return std::nullopt;
  const auto grid = GridOf(node);
  if (!grid.has_value()) return std::nullopt;
  const auto as_signed = SignedGrid(*grid);
  Entry entry;
  entry.can_be_signed = as_signed.has_value();
  entry.grid = options_.prefer_signed && as_signed ? *as_signed : *grid;
  return entry;
}

std::optional<IntegerFlow::Entry> IntegerFlow::EntryBehind(
    const Node& node) const {
  std::vector<QuantizationGrid> grids;
  Entry entry;
  entry.can_be_signed = true;
  for (int i = 0; i < TransparentInputs(node); ++i) {
    const Entry* input = Find(node.input(i));
    if (input == nullptr) return std::nullopt;
    grids.push_back(input->grid);
    entry.can_be_signed &= input->can_be_signed;
  }
  const bool same =
      std::all_of(grids.begin(), grids.end(), [&](const auto& grid) {
        return SameGrid(grid, grids[0]);
      });
  if (same) {
    entry.grid = grids[0];
  } else {
    const auto common = CommonGrid(grids);
    if (!options_.align_grids || !common.has_value()) return std::nullopt;
    entry.grid = *common;
    entry.can_be_signed = false;
  }
  if (!KeepsGrid(node, entry.grid)) return std::nullopt;
  return entry;
}

void IntegerFlow::WantInputs(Node& node) {
  if (IsLinear(node)) {
    Want(node);
    return;
  }
  bool wanted = false, wanted_signed = false;
  for (int i = 0; i < node.output_count(); ++i) {
    const Entry* entry = Find(node.output(i));
    if (entry == nullptr) continue;
    wanted |= entry->is_wanted;
    wanted_signed |= entry->is_wanted_signed;
  }
  if (!wanted) return;
  for (int i = 0; i < TransparentInputs(node); ++i) {
    if (Entry* input = Find(node.input(i))) {
      input->is_wanted = true;
      input->is_wanted_signed |= wanted_signed;
    }
  }
}

void IntegerFlow::Want(const Node& node) {
  Entry* data = Find(node.input(0));
  if (data == nullptr || !options_.TakesIntegers(node)) return;
  if (MatchIntegerWeights(node).has_value()) {
    data->is_wanted |= AcceptsData(node, data->grid);
  } else {
    WantFactors(node);
  }
}

void IntegerFlow::WantFactors(const Node& matmul) {
  Entry* a = Find(matmul.input(0));
  Entry* b = Find(matmul.input(1));
  if (b == nullptr || !b->can_be_signed) return;
  const auto grid = SignedGrid(b->grid);
  if (!grid.has_value() || !AcceptsFactors(matmul, a->grid, *grid)) return;
  a->is_wanted = b->is_wanted = b->is_wanted_signed = true;
}

std::optional<QuantizationGrid> CommonGrid(
    const std::vector<QuantizationGrid>& grids) {
  constexpr float kSteps = 255;
  float low = 0, high = 0;
  for (const QuantizationGrid& grid : grids) {
    if (grid.is_per_channel() || grid.type != ElementType::kU8) return {};
    low = std::min(low, -grid.zero_point[0] * grid.scale[0]);
    high = std::max(high, (kSteps - grid.zero_point[0]) * grid.scale[0]);
  }
  QuantizationGrid common;
  common.scale[0] = (high - low) / kSteps;
  common.zero_point[0] = std::nearbyint(-low / common.scale[0]);
  for (const QuantizationGrid& grid : grids) {
    const float levels = kSteps * grid.scale[0] / common.scale[0];
    if (!(levels >= kMinLevels)) return std::nullopt;
  }
  // One that has them all stays as it is.
  for (const QuantizationGrid& grid : grids) {
    if (std::abs(grid.scale[0] - common.scale[0]) <= 1e-5f * grid.scale[0] &&
        HasZero(grid)) {
      return grid;
    }
  }
  return common;
}

}  // namespace dovetail
