// Models of a few layers that every device can be expected to run, for tests of
// what is around computing.
#ifndef DOVETAIL_TESTING_GRAPHS_SMALL_MODELS_H_
#define DOVETAIL_TESTING_GRAPHS_SMALL_MODELS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The model of a text (core/ops/text/parse.h) that is right; else the test ends
// with an error.
Model ModelOf(absl::string_view text);

// An f32 tensor.
Tensor Floats(const Shape& shape, const std::vector<double>& values);

// y = relu(x + 1) * 2; all f32[2,3]. Layers "add", "relu", "scale", result
// "out"; tensors "x" and "y"; named "chain".
Model ChainModel();
// An input of it, and what comes out.
Tensor ChainInput();
std::vector<double> ChainOutput();
// y = relu(x) of f32[?,3]; layer "relu", tensors "x" and "y".
Model DynamicModel();
// sum = a + b and product = a * b, of f32[4]; layers "sum_layer" and
// "product_layer", tensors "a", "b", "sum", "product".
Model TwoByTwoModel();
// total = what was there before + x, kept in variable "total", at first 0;
// f32[2], tensors "x" and "y".
Model CounterModel();
// The sum of `layers` + 1 times x, of f32[elements]: so many layers "add_0", …
// that there is time to interfere.
Model LongModel(int layers, int elements);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_GRAPHS_SMALL_MODELS_H_
