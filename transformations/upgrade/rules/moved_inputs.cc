#include <algorithm>
#include <vector>

#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/transformations/upgrade/rules/rules.h"

namespace dovetail {
namespace {

// gamma, beta, data, … -> data, gamma, beta, …
Replacement BatchNorm(NodeBuilder& b, const Node& node) {
  const BatchNormInputs at = BatchNormInputsOf(node.op());
  return {b.MakeLike("BatchNormInference",
                     {node.input(at.data), node.input(at.gamma),
                      node.input(at.beta), node.input(at.mean),
                      node.input(at.variance)})};
}

Replacement Mvn(NodeBuilder& b, const Node& node) {
  const PartialShape& shape = node.input(0).shape();
  if (!shape.rank_known()) return {};
  const std::vector<int64_t> axes =
      MvnAxes(*node.As<MvnAttributes>(), shape.rank());
  return {b.MakeLike("MVN", {node.input(0), b.Ints(axes)},
                     {{"eps_mode", "inside_sqrt"}})};
}

// Which of the modes of today it is depends on the rank. The mean of an area is
// none of them.
Replacement Interpolate0(NodeBuilder& b, const Node& node) {
  const PartialShape& shape = node.input(0).shape();
  const auto& old = *node.As<Interpolate0Attributes>();
  if (!shape.rank_known() || old.mode == ResizeMode0::kArea) return {};
  std::vector<int64_t> axes = old.axes;
  for (int64_t& axis : axes) axis += axis < 0 ? shape.rank() : 0;
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  InterpolateAttributes newer = ResizeAttributesOf(node, shape.rank());
  return {b.Make("Interpolate", {node.input(0), node.input(1), b.Ints(axes)},
                 ListAttributes(newer))};
}

// Version 4 has both sizes and scales, and reads one of them.
Replacement Interpolate4(NodeBuilder& b, const Node& node) {
  const ResizeInputs at = ResizeInputsOf(node, node.input_count());
  std::vector<Value> inputs = {
      node.input(0), node.input(at.sizes >= 0 ? at.sizes : at.scales)};
  if (at.axes >= 0) inputs.push_back(node.input(at.axes));
  return {b.MakeLike("Interpolate", inputs)};
}

constexpr NodeRule kRules[] = {
    {"BatchNormInference", 0, "BatchNormInference-5", &BatchNorm},
    {"Interpolate", 0, "Interpolate-11, but for areas", &Interpolate0},
    {"Interpolate", 4, "Interpolate-11", &Interpolate4},
    {"MVN", 0, "MVN-6", &Mvn},
};

}  // namespace

absl::Span<const NodeRule> MovedInputsUpgrades() { return kRules; }

}  // namespace dovetail
