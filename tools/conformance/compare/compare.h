// Comparison of an output with what it should be: where and how far off.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_COMPARE_COMPARE_H_
#define DOVETAIL_TOOLS_CONFORMANCE_COMPARE_COMPARE_H_

#include "absl/status/status.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/tools/conformance/cases/case_index.h"

namespace dovetail::conformance {

// An expected output may hold only every 61st element of a large tensor: a
// one-dimensional file for an output of more than this many elements.
inline constexpr int64_t kSampledAbove = 200000;
inline constexpr int64_t kSampleStep = 61;

// Numbers and strings. NaN equals NaN, infinities must match, integers,
// booleans and strings are compared exactly where the tolerance is 0. Types
// that .npy files lack are compared after widening.
absl::Status CompareOutput(const Tensor& got, const Tensor& want,
                           const Tolerance& tolerance);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_COMPARE_COMPARE_H_
