#include "dovetail/backends/gpu/steps/elementwise/group_layout.h"

#include <vector>

#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

constexpr int64_t kBlock = 16;

// A list of one element for each channel is the same in both layouts where no
// block is padded.
bool IsChannelList(const GroupInput& input, const Shape& shape) {
  return input.shape.Count() == shape[1] && input.shape[1] == shape[1] &&
         shape[1] % kBlock == 0;
}

// One element, one for each channel, or of the result's extents.
bool CanBeBlocked(const GroupInput& input, const Shape& shape) {
  if (input.shape.rank() == 0 || IsChannelList(input, shape)) return true;
  return input.shape == PlanBuilder::ShapeOf(input.value) &&
         input.value.type() == ElementType::kF32 &&
         input.shape[1] == shape[1] &&
         CanHaveLayout(input.shape, Layout::kBlocked16) &&
         (input.shape[0] == shape[0] || shape[1] % kBlock == 0);
}

// Blocks of channels where the data is stored so and everything else can be.
Layout ChooseLayout(const GroupOperands& operands, const Shape& shape,
                    const PlanBuilder& builder) {
  // One channel would be taken for one number.
  if (shape.rank() < 2 || shape[1] == 1) return Layout::kPlanar;
  bool is_blocked = false;
  for (const GroupInput& input : operands.inputs) {
    if (!CanBeBlocked(input, shape)) return Layout::kPlanar;
    is_blocked |= input.shape == shape &&
                  builder.FormatOf(input.value).layout == Layout::kBlocked16;
  }
  for (const GroupMember& member : operands.members) {
    if (member.node->port().type != ElementType::kF32) return Layout::kPlanar;
  }
  return is_blocked ? Layout::kBlocked16 : Layout::kPlanar;
}

// The extents of an input or result in the order of its memory: blocks of
// channels last.
std::vector<int64_t> StoredExtents(const Shape& shape, int rank,
                                   Layout layout) {
  std::vector<int64_t> extents(shape.dims().begin(), shape.dims().end());
  extents.resize(rank, 1);  // of one element
  if (layout == Layout::kPlanar) return extents;
  const bool has_channels = extents[1] != 1;
  extents[1] = CeilDivide(extents[1], kBlock);
  extents.push_back(has_channels ? kBlock : 1);
  return extents;
}

}  // namespace

GroupLayout::GroupLayout(const GroupOperands& operands, const Shape& shape,
                         const PlanBuilder& builder)
    : layout(ChooseLayout(operands, shape, builder)),
      float_type(builder.StorageOf(ElementType::kF32)) {
  std::vector<std::vector<int64_t>> extents;
  for (const GroupInput& input : operands.inputs) {
    extents.push_back(StoredExtents(input.shape, shape.rank(), layout));
  }
  const std::vector<int64_t> all = StoredExtents(shape, shape.rank(), layout);
  extents.push_back(all);  // of the results
  walk = WalkOf(all, extents);
  is_padded = layout == Layout::kBlocked16 && shape[1] % kBlock != 0;
  if (!is_padded) return;
  if (walk.extents.size() < 2) {
    // The number of a block has to be known.
    walk.extents = {all[0] * all[1], walk.inner() / (all[0] * all[1])};
    for (auto& strides : walk.strides) {
      strides = {strides[0] * walk.extents[1], strides[0]};
    }
  }
  channels = shape[1];
  blocks = all[1];
  outer_of_block = walk.outer() / (all[0] * all[1]);
}

Format GroupLayout::FormatOf(const GroupInput& input) const {
  const bool is_same = input.shape.rank() > 0 &&
                       PlanBuilder::ShapeOf(input.value) == input.shape;
  return {input.stored, is_same ? layout : Layout::kPlanar};
}

}  // namespace dovetail::gpu
