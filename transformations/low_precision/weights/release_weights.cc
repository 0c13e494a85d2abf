#include "dovetail/transformations/low_precision/weights/release_weights.h"

#include <algorithm>
#include <memory>
#include <set>

#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/low_precision/analysis/linear.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"
#include "dovetail/transformations/low_precision/weights/keep_compressed.h"
#include "dovetail/transformations/low_precision/weights/keep_weights.h"

namespace dovetail {
namespace {

// Whether the weights are integers as they are, and so are the data.
bool IsOfIntegers(const Node& linear) {
  const auto data = MatchDequantization(linear.input(0));
  if (!data.has_value() || !linear.input(1).node->Is("Convert")) return false;
  return std::all_of(data->params.scale.begin(), data->params.scale.end(),
                     [](float scale) { return scale == 1; });
}

}  // namespace

absl::StatusOr<bool> ReleaseWeights::Run(Model& model) {
  return ForEachModel(model, [](Model& each) -> absl::StatusOr<bool> {
    std::set<Node*> kept =
        CompressedConversions(each, {.half_floats = true, .code_books = true});
    for (const auto& node : each.nodes()) {
      if (IsLinear(*node) && IsOfIntegers(*node)) {
        kept.insert(node->input(1).node);
      }
    }
    for (const auto& node : each.nodes()) {
      if (kept.count(node.get()) == 0) Unmark(*node);
    }
    return false;
  });
}

}  // namespace dovetail
