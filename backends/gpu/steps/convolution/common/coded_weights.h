// Compressed weights of convolutions: integers of a byte each, of which kernels
// make floats as they read them.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_CODED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_CODED_WEIGHTS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/steps/convolution/common/packing.h"
#include "dovetail/backends/gpu/steps/convolution/common/problem.h"
#include "dovetail/transformations/low_precision/weights/compressed_convolution.h"

namespace dovetail::gpu {

// A code q means (q - zero point) * scale, with numbers of output channels.
struct CodedWeights {
  Decompression stored;
  ElementType type = ElementType::kI8;  // of a code, or u8
  bool has_zeros = false;               // that are not all 0
};

// Nothing: the weights are of another form, or of groups.
std::optional<CodedWeights> CodedWeightsOf(const ConvolutionProblem& problem);

// [item, block, tap, input channel, output channel], as PackWeights; `form` is
// of the codes' type.
absl::StatusOr<Operand> PackCodes(const ConvolutionProblem& problem,
                                  const CodedWeights& weights,
                                  const PackedForm& form, PlanBuilder& builder);
// [item, output channel] of f32, 0 where there is no such channel.
absl::StatusOr<Operand> PackScales(const CodedWeights& weights,
                                   const PackedForm& form,
                                   PlanBuilder& builder);
absl::StatusOr<Operand> PackZeroPoints(const CodedWeights& weights,
                                       const PackedForm& form,
                                       PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_CODED_WEIGHTS_H_
