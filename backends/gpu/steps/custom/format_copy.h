// Copies between the order of axes that a custom kernel asks for and ours.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CUSTOM_FORMAT_COPY_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CUSTOM_FORMAT_COPY_H_

#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

struct FormatCopy {
  Operand from, to;
  ElementType type = ElementType::kF32;
  Shape shape;  // at most 4 axes
  CustomFormat format = CustomFormat::kBfyx;
  bool is_back = false;  // from that format; else to it
};

// Whether a tensor of that shape lies otherwise than row-major in the format.
bool NeedsFormatCopy(CustomFormat format, const Shape& shape);

// Adds the launch, as a step of the node.
void AddFormatCopy(const Node& node, const FormatCopy& copy,
                   PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CUSTOM_FORMAT_COPY_H_
