#include <algorithm>
#include <cstdint>

#include "dovetail/core/ops/indexing/gather/gather_nd.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/upgrade/rules/rules.h"

namespace dovetail {
namespace {

// Beyond the extent of any axis.
constexpr double kFarOut = 2147483647;

bool IsUnsigned(ElementType type) {
  return type == ElementType::kU8 || type == ElementType::kU16 ||
         type == ElementType::kU32 || type == ElementType::kU64;
}

bool AreNotNegative(Value indices) {
  if (IsUnsigned(indices.type())) return true;
  if (const auto known = KnownInts(indices)) {
    return std::all_of(known->begin(), known->end(),
                       [](int64_t index) { return index >= 0; });
  }
  const auto& range = indices.port().value;
  return range.has_value() &&
         std::all_of(range->elements().begin(), range->elements().end(),
                     [](const auto& index) { return index.lower >= 0; });
}

// Before version 8 a negative index was out of range, for which there is a
// zero; now it counts from the end.
Replacement Gather(NodeBuilder& b, const Node& node) {
  Value indices = node.input(1);
  if (!AreNotNegative(indices)) {
    if (indices.type() != ElementType::kI32 &&
        indices.type() != ElementType::kI64) {
      indices = b.Convert(indices, ElementType::kI32);
    }
    indices = b.Select(b.Binary("Less", indices, 0.0), kFarOut, indices);
  }
  return {b.MakeLike("Gather", {node.input(0), indices, node.input(2)})};
}

// Version 5 joins the shared axes into one.
Replacement GatherND(NodeBuilder& b, const Node& node) {
  const Value gathered = b.MakeLike("GatherND", node.inputs());
  const int batch_dims =
      static_cast<int>(node.As<GatherNDAttributes>()->batch_dims);
  if (batch_dims <= 1) return {gathered};
  if (!gathered.shape().rank_known()) return {};
  const Value joined = b.Product(b.Dims(gathered, 0, batch_dims));
  if (gathered.shape().rank() == batch_dims) {
    return {b.Reshape(gathered, joined)};
  }
  return {
      b.Reshape(gathered, b.Concat({joined, b.Dims(gathered, batch_dims)}))};
}

constexpr NodeRule kRules[] = {
    {"Gather", 1, "Gather-8, no index counting from the end", &Gather},
    {"Gather", 7, "Gather-8, no index counting from the end", &Gather},
    {"GatherND", 5, "GatherND-8, shared axes joined", &GatherND},
};

}  // namespace

absl::Span<const NodeRule> IndexingUpgrades() { return kRules; }

}  // namespace dovetail
