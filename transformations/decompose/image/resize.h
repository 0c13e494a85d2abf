// The two ways to decompose Interpolate, and what they share.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_IMAGE_RESIZE_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_IMAGE_RESIZE_H_

#include <optional>
#include <vector>

#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/transformations/common/node_builder.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// For known extents: which elements count how much is constant.
Replacement ResizeByConstants(NodeBuilder& b, const Node& node);
// For any extents, in modes that read as many elements everywhere: positions
// are computed in the model.
Replacement ResizeByPositions(NodeBuilder& b, const Node& node);

// The axes that the node resizes, in the order of sizes or scales; nothing
// while they are not known.
std::optional<std::vector<int>> ResizedAxesOf(const Node& node, int rank);

// Zeros around x as the attributes say.
Value WithPadding(NodeBuilder& b, Value x,
                  const InterpolateAttributes& attributes);

// Whether weighted sums of elements of that type can be computed: floats, and
// integers of at most 16 bits, by way of f32.
bool CanWeigh(ElementType type);

// The nearest integers that the type holds, of two the even one, still as f32.
Value RoundedTo(NodeBuilder& b, Value x, ElementType type);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_IMAGE_RESIZE_H_
