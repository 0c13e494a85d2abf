// Questions that passes ask of values that are constants.
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_CONSTANTS_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_CONSTANTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The elements, as long as the node is in its model; null for other values.
const Tensor* ConstantOf(Value value);

// The elements of a constant of an integer type, in C order.
std::optional<std::vector<int64_t>> ConstantInts(Value value);

// The same for any integers that inference has found out, such as the shape of
// something static.
std::optional<std::vector<int64_t>> KnownInts(Value value);
// The single one of them.
std::optional<int64_t> KnownInt(Value value);

// The single truth value, where inference has found it out.
std::optional<bool> KnownTruth(Value value);

// The single element of a constant of any numeric type.
std::optional<double> ConstantNumber(Value value);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_CONSTANTS_H_
