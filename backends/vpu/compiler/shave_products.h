// Multiply-adds of operations that SHAVEs do as sums of products.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_SHAVE_PRODUCTS_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_SHAVE_PRODUCTS_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::vpu {

// Of transposed, deformable and binary convolutions, and of recurrent cells and
// sequences; nothing for other operations. Errors of StaticShape.
absl::StatusOr<std::optional<int64_t>> ShaveProducts(const Node& node);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_SHAVE_PRODUCTS_H_
