// Shapes of the tensors that an application gives for an input.
#ifndef DOVETAIL_CORE_PREPROCESS_INPUT_SHAPES_H_
#define DOVETAIL_CORE_PREPROCESS_INPUT_SHAPES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/preprocess/layout.h"
#include "dovetail/core/preprocess/tensor_description.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {

// One shape a plane: the described one, else the model's in the order of
// `layout`, with channels and spatial size as described.
absl::StatusOr<std::vector<PartialShape>> InputShapes(
    const TensorDescription& tensor, const Layout& layout,
    const PartialShape& model_shape, const Layout& model_layout);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_INPUT_SHAPES_H_
