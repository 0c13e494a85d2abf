#include <cstdint>

#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

int64_t FromStart(int64_t axis, int rank) {
  return axis < 0 ? axis + rank : axis;
}

// All parts of a Split or VariadicSplit, one after another as they were.
Replacement Rejoin(NodeBuilder&, const Node& node) {
  const Value first = node.input(0);
  const Node& split = *first.node;
  const auto* attributes = node.As<ConcatAttributes>();
  if ((!split.Is("Split") && !split.Is("VariadicSplit")) ||
      attributes == nullptr || split.output_count() != node.input_count()) {
    return {};
  }
  for (int i = 0; i < node.input_count(); ++i) {
    if (node.input(i).node != &split || node.input(i).index != i) return {};
  }
  const Value x = split.input(0);
  const auto axis = KnownInt(split.input(1));
  if (!axis.has_value() || !x.shape().rank_known()) return {};
  const int rank = x.shape().rank();
  if (FromStart(*axis, rank) != FromStart(attributes->axis, rank)) return {};
  return {x};
}

constexpr NodeRule kRules[] = {
    {"Concat", 0, "the parts of one split", &Rejoin},
};

}  // namespace

absl::Span<const NodeRule> PartFusions() { return kRules; }

}  // namespace dovetail
