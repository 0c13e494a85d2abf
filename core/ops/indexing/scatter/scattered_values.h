// Known elements of what the Scatter operations give.
#ifndef DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTERED_VALUES_H_
#define DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTERED_VALUES_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// Three static shapes.
struct ScatterShapes {
  Shape data, indices, updates;
};

// Whether elements of output 0 are wanted and those of the data (input 0), the
// indices (1, each known exactly) and the updates (2) are there; their shapes
// then.
std::optional<ScatterShapes> ShapesOfKnownScatter(const InferContext& context);

// Notes the elements of output 0: those of the data, with update number i in
// place of element `place(i)`, which is nothing where there is none.
void PropagateScattered(
    InferContext& context, const ScatterShapes& shapes,
    const std::function<std::optional<int64_t>(int64_t)>& place);

// `index`, which counts from the end when negative, in [0, extent).
std::optional<int64_t> PlaceOnAxis(int64_t index, int64_t extent);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_SCATTER_SCATTERED_VALUES_H_
