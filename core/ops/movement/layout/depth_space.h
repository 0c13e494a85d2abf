// DepthToSpace and SpaceToDepth: channels as blocks of elements, and back.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_DEPTH_SPACE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_DEPTH_SPACE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class DepthSpaceMode {
  kBlocksFirst,  // channel = position in the block * depth + depth index
  kDepthFirst,   // channel = depth index * size of a block + position in it
};
absl::Span<const EnumName> EnumNames(DepthSpaceMode);

// Of both operations.
struct DepthSpaceAttributes : public AttributesOf<DepthSpaceAttributes> {
  int64_t block_size = 1;
  DepthSpaceMode mode = DepthSpaceMode::kBlocksFirst;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("block_size", block_size);
    visitor.Visit("mode", mode);
  }
};

// Data [N,C,...] with one or more spatial axes. DepthToSpace makes each of
// these block_size times as long, SpaceToDepth that many times shorter.
absl::Status InferDepthToSpace(InferContext& context);
absl::Status InferSpaceToDepth(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_DEPTH_SPACE_H_
