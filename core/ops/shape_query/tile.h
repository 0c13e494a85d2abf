// Tile: data repeated along its axes.
#ifndef DOVETAIL_CORE_OPS_SHAPE_QUERY_TILE_H_
#define DOVETAIL_CORE_OPS_SHAPE_QUERY_TILE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// The view of a tensor of that shape which holds it repeats[i] times along axis
// i. Both lists are aligned at their ends, 1 stands for what lacks, and numbers
// below 0 for 0. It has two axes for each: repetition and position.
StridedView TiledView(const Shape& data, const std::vector<int64_t>& repeats);

// Inputs: data, repeats (a vector).
absl::Status InferTile(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_SHAPE_QUERY_TILE_H_
