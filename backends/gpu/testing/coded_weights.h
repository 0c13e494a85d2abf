// Weights of models in text form that are integers.
#ifndef DOVETAIL_BACKENDS_GPU_TESTING_CODED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_GPU_TESTING_CODED_WEIGHTS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dovetail::gpu {

// Constants of these shapes, as in "48,1,1,1": integers of `type`, their
// scales, and zero points of that type unless `zeros` is empty.
struct CodedWeights {
  std::string type, shape, scales, zeros;
};

// Statements that make floats of them, (integers - zero points) * scales, as
// the value `result`, for ComparePlan. Their values are q, c, s, y, z and d.
std::string WeightsText(const CodedWeights& weights, absl::string_view result);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_CODED_WEIGHTS_H_
