#include "dovetail/transformations/low_precision/weights/keep_compressed_convolutions.h"

#include <algorithm>
#include <cstdint>

#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/low_precision/weights/compressed_convolution.h"
#include "dovetail/transformations/low_precision/weights/keep_weights.h"

namespace dovetail {
namespace {

// Weights that are worth it.
constexpr int64_t kMinWeights = int64_t{1} << 14;
// The longest way from a constant to the convolution.
constexpr int kMaxDepth = 8;

// Whether nobody but the convolution reads what is made of the node.
bool IsOnlyFor(const Node& convolution, const Node& node) {
  const Node* at = &node;
  for (int i = 0; i < kMaxDepth; ++i) {
    if (at->output_count() != 1 || at->port().uses.size() != 1) return false;
    at = at->port().uses[0].node;
    if (at == &convolution) return true;
  }
  return false;
}

void Keep(const Node& node) {
  const auto found = MatchCompressedConvolution(node);
  // Products of f16 are rounded to it, which kernels of f32 do not do.
  if (!found.has_value() || found->type != ElementType::kF32) return;
  if (ConstantOf(found->constant)->element_count() < kMinWeights) return;
  const auto& conversions = found->conversions;
  const bool is_only_for_it = std::all_of(
      conversions.begin(), conversions.end(),
      [&](const Node* conversion) { return IsOnlyFor(node, *conversion); });
  if (!is_only_for_it) return;
  for (Node* conversion : conversions) MarkAsKept(*conversion);
}

}  // namespace

absl::StatusOr<bool> KeepCompressedConvolutions::Run(Model& model) {
  return ForEachModel(model, [](Model& each) -> absl::StatusOr<bool> {
    for (const auto& node : each.nodes()) Keep(*node);
    return false;
  });
}

}  // namespace dovetail
