// A step that runs an elementwise program.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_ELEMENTWISE_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_ELEMENTWISE_STEP_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_geometry.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"

namespace dovetail::cpu {

// The last block of channels of a tensor, of which only the first `used` are
// channels: the others are to be 0 after the program ran.
struct ChannelPadding {
  int64_t batch = 0;
  int64_t batch_stride = 0;  // in elements
  int64_t first = 0;         // where the last block begins
  int64_t area = 0;
  int64_t block = 0;
  int64_t used = 0;
};

// The step has the program's inputs and outputs, in its order.
std::unique_ptr<Step> MakeElementwiseStep(
    ElementwiseProgram program, ElementwiseGeometry geometry,
    std::optional<ChannelPadding> padding = std::nullopt);

// Whether all results are 0 where all inputs are: then channels that only fill
// a block stay 0.
bool KeepsZeros(const ElementwiseProgram& program);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_ELEMENTWISE_STEP_H_
