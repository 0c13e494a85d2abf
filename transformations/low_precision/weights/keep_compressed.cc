#include "dovetail/transformations/low_precision/weights/keep_compressed.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"
#include "dovetail/transformations/low_precision/weights/keep_weights.h"

namespace dovetail {
namespace {

// The longest way from a constant to a product.
constexpr int kMaxDepth = 8;

// What is to be kept so that this node multiplies with weights as they are.
std::vector<Node*> ConversionsFor(const Node& node, KeptFloats floats) {
  if (const auto found = MatchCompressedWeights(node)) {
    const bool is_book = IsCodeBook(found->constant.type());
    if (is_book && !floats.code_books) return {};
    return found->conversions;
  }
  if (floats.half_floats && MatchF16Weights(node)) return {node.input(1).node};
  return {};
}

bool IsOnlyForProducts(const Node& node, KeptFloats floats, int depth) {
  if (depth == 0 || node.output_count() != 1) return false;
  const std::vector<Use>& uses = node.port().uses;
  return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
    const Node& reader = *use.node;
    if (reader.Is("MatMul")) {
      return use.input == 1 && !ConversionsFor(reader, floats).empty();
    }
    return !reader.Is("Result") && IsOnlyForProducts(reader, floats, depth - 1);
  });
}

}  // namespace

std::set<Node*> CompressedConversions(const Model& model, KeptFloats floats) {
  std::set<Node*> found;
  for (const auto& node : model.nodes()) {
    for (Node* conversion : ConversionsFor(*node, floats)) {
      if (IsOnlyForProducts(*conversion, floats, kMaxDepth)) {
        found.insert(conversion);
      }
    }
  }
  return found;
}

absl::StatusOr<bool> KeepCompressed::Run(Model& model) {
  return ForEachModel(model, [this](Model& each) -> absl::StatusOr<bool> {
    for (Node* node : CompressedConversions(each, floats_)) {
      MarkAsKept(*node);
    }
    return false;
  });
}

}  // namespace dovetail
