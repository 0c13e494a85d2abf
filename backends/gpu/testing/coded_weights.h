// Models in text form whose weights are integers.
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

// For ComparePlan, a model that computes %y by the statements `layer`, and a
// Relu of it. They read %x, a parameter of shape `data`, and %w, the floats
// (integers - zero points) * scales.
std::string ModelWithCodedWeights(absl::string_view data,
                                  const CodedWeights& weights,
                                  absl::string_view layer);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_TESTING_CODED_WEIGHTS_H_
