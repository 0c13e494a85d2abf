// Weights in the order in which kernels read them.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PACKING_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PACKING_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/compiler/packing_key.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/steps/convolution/common/phases.h"
#include "dovetail/backends/gpu/steps/convolution/common/problem.h"

namespace dovetail::gpu {

// Groups are merged into larger ones, in which a weight is 0 where the input
// is another group's than the output.
struct MergedGroups {
  int64_t merged = 1;               // of the model's groups in one of these
  int64_t groups = 1;               // of these
  int64_t inputs = 1, outputs = 1;  // channels of one of these
};

struct PackedForm {
  MergedGroups channels;
  Phase phase;
  int64_t input_block = 16;   // input channels side by side in the data
  int64_t output_block = 32;  // output channels of a work item
  ElementType stored = ElementType::kF32;  // or f16, or codes of a byte
  // Of an output channel only the weights of its own group's inputs, which are
  // then the input block.
  bool has_own_inputs = false;

  int64_t taps() const { return phase[0].taps * phase[1].taps * phase[2].taps; }
  // Work items for a group, and blocks of its input channels.
  int64_t items() const;
  int64_t blocks() const;
  // Floats of a work item, and of all.
  int64_t item_floats() const {
    return blocks() * taps() * input_block * output_block;
  }
  int64_t floats() const { return channels.groups * items() * item_floats(); }
};

// [group, item, block, tap, input channel, output channel], zeros where there
// is no such channel, of the form's type, f32 or f16. The problem's weights are
// a constant, dense, or a weight expression.
absl::StatusOr<Operand> PackWeights(const ConvolutionProblem& problem,
                                    const PackedForm& form,
                                    PlanBuilder& builder);

// Weights of f32, or of bytes if these are packed, dense, made of constants.
using ElementsFn =
    std::function<absl::StatusOr<Tensor>(absl::Span<const Tensor> constants)>;
// The same of what `elements` makes of the key's constants; null: they are the
// one constant.
absl::StatusOr<Operand> PackElements(const ConvolutionProblem& problem,
                                     const PackedForm& form, PackingKey key,
                                     const ElementsFn& elements,
                                     PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PACKING_H_
