// Models with random constants, inputs for them, and how far results differ.
#ifndef DOVETAIL_TESTING_GRAPHS_RANDOM_MODEL_H_
#define DOVETAIL_TESTING_GRAPHS_RANDOM_MODEL_H_

#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Floats from -2 to 2 (those that are to be small: from -1/8 to 1/8) or of all
// values of nf4 and f4e2m1, f8e8m0 up to 2, integers of all values of their
// type of 8 or 2 bits (small i8: from -64 to 64), else from 0 to 5.
absl::StatusOr<Tensor> RandomTensor(ElementType type, const Shape& shape,
                                    std::mt19937& generator,
                                    bool is_small = false);

// Parameters with a friendly name that begins with "constant" become constants
// of such values; small ones where the name has "small", in memory that nobody
// may write where it has "read_only".
absl::Status MakeConstants(Model& model, std::mt19937& generator);

// A model in text form (core/ops/text/parse.h) with such constants, the same
// ones for the same text.
absl::StatusOr<Model> ParseWithConstants(absl::string_view text);

// Random tensors of the types of the model's parameters.
std::vector<Tensor> RandomInputs(const Model& model,
                                 absl::Span<const Shape> shapes, unsigned seed);

// The greatest difference of elements, as a part of the greatest element of
// `want` (or of 1, if that is less); infinite for another type or shape, and
// for what is no number in one of them only.
double DifferenceOf(const Tensor& got, const Tensor& want);

// The first output whose difference is above `tolerance`, in words; empty:
// none.
std::string FirstDifference(absl::Span<const Tensor> got,
                            absl::Span<const Tensor> want, double tolerance);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_GRAPHS_RANDOM_MODEL_H_
