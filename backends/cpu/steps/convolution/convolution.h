// Convolution, GroupConvolution, ConvolutionBackpropData and
// GroupConvolutionBackpropData, with what follows element by element.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_CONVOLUTION_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_CONVOLUTION_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Any of the four operations, on f32 or integers (integer_operands.h), by the
// first kernel of a list that takes it.
absl::StatusOr<bool> EmitConvolution(const Node& node, PlanBuilder& builder);

// Convert of a picture's bytes, with all up to the convolution behind it and
// that itself, where the kernel that computes it reads them as they are.
absl::StatusOr<bool> EmitPicture(const Node& node, PlanBuilder& builder);

// The first node of what quantizes a picture of floats, with all up to the
// convolution behind it and that itself, where the kernel that computes it
// quantizes what it reads.
absl::StatusOr<bool> EmitQuantizedPicture(const Node& node,
                                          PlanBuilder& builder);

// Whether EmitConvolution reads bytes, from which it takes the zero point
// itself, in place of the node's first input, which need not be ready then.
bool ConvolutionReadsBytes(const Node& node);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_CONVOLUTION_H_
