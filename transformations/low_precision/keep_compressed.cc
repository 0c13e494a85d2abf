#include "dovetail/transformations/low_precision/keep_compressed.h"

#include <algorithm>
#include <memory>

#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/low_precision/compressed_weights.h"
#include "dovetail/transformations/low_precision/keep_weights.h"

namespace dovetail {
namespace {

// The longest way from a constant to a product.
constexpr int kMaxDepth = 8;

bool IsOnlyForProducts(const Node& node, int depth) {
  if (depth == 0 || node.output_count() != 1) return false;
  const std::vector<Use>& uses = node.port().uses;
  return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
    if (use.node->Is("MatMul")) {
      return use.input == 1 && MatchCompressedWeights(*use.node).has_value();
    }
    return !use.node->Is("Result") && IsOnlyForProducts(*use.node, depth - 1);
  });
}

}  // namespace

absl::StatusOr<bool> KeepCompressed::Run(Model& model) {
  return ForEachModel(model, [](Model& each) -> absl::StatusOr<bool> {
    for (const auto& node : each.nodes()) {
      const auto found = MatchCompressedWeights(*node);
      if (!found.has_value()) continue;
      for (Node* conversion : found->conversions) {
        if (IsOnlyForProducts(*conversion, kMaxDepth)) MarkAsKept(*conversion);
      }
    }
    return false;
  });
}

}  // namespace dovetail
