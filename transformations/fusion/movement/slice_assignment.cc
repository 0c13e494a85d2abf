#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/indexing/scatter/scatter_nd_update.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

Value Unreshaped(Value value) {
  const Node* const reshape = NodeOf(value, "Reshape");
  return reshape == nullptr ? value : reshape->input(0);
}

bool IsNumber(Value value, int64_t number) {
  const auto numbers = ConstantInts(value);
  return numbers.has_value() && numbers->size() == 1 &&
         numbers->front() == number;
}

// Whether the value is 0, 1, … in that order, in any shape.
bool IsCounting(Value value) {
  const Node* const range = NodeOf(Unreshaped(value), "Range");
  return range != nullptr && IsNumber(range->input(0), 0) &&
         IsNumber(range->input(2), 1);
}

bool Replaces(const Node& scatter) {
  const auto* attributes = scatter.As<ScatterNDUpdateAttributes>();
  return attributes == nullptr ||
         attributes->reduction == ScatterNDReduction::kNone;
}

// x[begin : end] = y as PyTorch's exporter of OpenVINO says it: a flat
// ScatterNDUpdate at a slice of the numbers of all elements. Where these are
// few, folding has made constants of them.
Replacement AsSliceScatter(NodeBuilder& b, const Node& node) {
  const auto data = node.input(0).shape().ToShape();
  const auto indices = node.input(1).shape().ToShape();
  const Node* const slice = NodeOf(Unreshaped(node.input(1)), "Slice");
  if (!Replaces(node) || slice == nullptr || !data.ok() || data->rank() != 1 ||
      !indices.ok() || indices->rank() != 2 || (*indices)[1] != 1 ||
      !IsCounting(slice->input(0))) {
    return {};
  }
  const auto whole = slice->input(0).shape().ToShape();
  const auto part = slice->port().shape.ToShape();
  if (!whole.ok() || !part.ok() || whole->Count() != (*data)[0] ||
      part->Count() != (*indices)[0]) {
    return {};
  }
  std::vector<Value> inputs = {b.ReshapeTo(node.input(0), whole->ToVector()),
                               b.ReshapeTo(node.input(2), part->ToVector())};
  for (int i = 1; i < slice->input_count(); ++i) {
    inputs.push_back(slice->input(i));
  }
  return {b.ReshapeTo(b.Make("SliceScatter", inputs), {(*data)[0]})};
}

constexpr NodeRule kRules[] = {
    {"ScatterNDUpdate", 3, "SliceScatter", &AsSliceScatter},
    {"ScatterNDUpdate", 15, "SliceScatter", &AsSliceScatter},
};

}  // namespace

absl::Span<const NodeRule> SliceAssignments() { return kRules; }

}  // namespace dovetail
