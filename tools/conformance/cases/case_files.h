// The tensors of a case on disk: in0.npy, out0.npy, and from the second
// inference on in0.step2.npy, out0.step2.npy.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_CASES_CASE_FILES_H_
#define DOVETAIL_TOOLS_CONFORMANCE_CASES_CASE_FILES_H_

#include <optional>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"
#include "dovetail/tools/conformance/cases/case_index.h"

namespace dovetail::conformance {

// Whether the case has an inference of that number; the first has number 1.
bool HasStep(const Case& test_case, int step);

// The i-th input, converted to the type that the model wants, as files lack
// some types. Nothing when a later step leaves it out, so that it stays.
absl::StatusOr<std::optional<Tensor>> ReadInput(const Case& test_case, size_t i,
                                                int step, ElementType type);

// The i-th expected output, of the type that the file has.
absl::StatusOr<Tensor> ReadExpected(const Case& test_case, size_t i, int step);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_CASES_CASE_FILES_H_
