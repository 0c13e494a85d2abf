// The slices of a variable that a program reads, as beam search chooses them.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_VARIABLE_GATHER_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_VARIABLE_GATHER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// What Gather takes of a variable: slices along one axis, by their numbers.
struct VariableGather {
  int indices = -1;  // the program's input that has the numbers, of rank 1
  int axis = 0;
  // Whether negative numbers count from the end. All others outside of the axis
  // give zeros.
  bool from_end = false;
};

// Whether the numbers are 0, 1, … and as many as there are slices, so that
// nothing moves.
bool TakesAll(const Tensor& indices, int64_t extent);

// Of what is taken from a variable of shape `from`.
Shape GatheredShape(const VariableGather& gather, const Shape& from,
                    const Tensor& indices);

// `to` has that shape and the variable's type, which has whole bytes and is no
// string; it overlaps no memory of `from`.
absl::Status GatherSlices(const VariableGather& gather, const Tensor& from,
                          const Tensor& indices, const Tensor& to);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_VARIABLES_VARIABLE_GATHER_H_
