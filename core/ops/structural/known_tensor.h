// Tensors that inference knows before anything runs.
#ifndef DOVETAIL_CORE_OPS_STRUCTURAL_KNOWN_TENSOR_H_
#define DOVETAIL_CORE_OPS_STRUCTURAL_KNOWN_TENSOR_H_

#include <optional>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The elements of a port of i32 or i64, of static shape, each of which is known
// exactly; nothing for others, and for integers of 2^53 and beyond, which the
// bounds of a ValueRange do not tell apart. The tensor is the caller's own.
std::optional<Tensor> KnownIntegerTensor(const OutputPort& port);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STRUCTURAL_KNOWN_TENSOR_H_
