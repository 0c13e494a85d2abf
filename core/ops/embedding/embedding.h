// EmbeddingBagOffsets, EmbeddingBagPacked and EmbeddingSegments, each as a sum,
// the former two as a mean as well: rows of a table, gathered into bags and
// added up.
#ifndef DOVETAIL_CORE_OPS_EMBEDDING_EMBEDDING_H_
#define DOVETAIL_CORE_OPS_EMBEDDING_EMBEDDING_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class BagReduction { kSum, kMean };
absl::Span<const EnumName> EnumNames(BagReduction);

// Of EmbeddingBagOffsets-15 and EmbeddingBagPacked-15. The operations with Sum
// in their names have none.
struct EmbeddingBagAttributes : public AttributesOf<EmbeddingBagAttributes> {
  BagReduction reduction = BagReduction::kSum;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("reduction", reduction);
  }
};
BagReduction BagReductionOf(const Node& node);

// Table [E, …], indices [I], offsets [B] of where bags begin, perhaps
// default_index, a scalar (the row for empty bags, none if -1), and weights
// [I], which only sums have -> [B, …].
absl::Status InferEmbeddingBagOffsets(InferContext& context);
// Table [E, …], indices [B, I], perhaps weights [B, I] -> [B, …].
absl::Status InferEmbeddingBagPacked(InferContext& context);
// Table [E, …], indices [I], segment_ids [I], num_segments, a scalar, perhaps
// default_index and weights [I] as above -> [num_segments, …].
absl::Status InferEmbeddingSegments(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_EMBEDDING_EMBEDDING_H_
