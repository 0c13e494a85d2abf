// Tensors near other tensors.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATE_TENSOR_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATE_TENSOR_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/tensor/tensor.h"
#include "dovetail/testing/conformance/mutation/random.h"

namespace dovetail {

// A copy with some or all elements special, exchanged or with flipped bits.
Tensor WithOtherElements(Random& random, const Tensor& tensor,
                         const std::vector<int64_t>& extents);
// The elements, over and over, in another shape.
Tensor InShape(const Tensor& tensor, const Shape& shape);
// The elements converted to another type, or others where that cannot be.
Tensor InType(const Tensor& tensor, ElementType type);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATE_TENSOR_H_
