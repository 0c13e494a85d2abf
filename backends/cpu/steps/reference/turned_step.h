// Copies between row-major order and channels last that change the type too.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_REFERENCE_TURNED_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_REFERENCE_TURNED_STEP_H_

#include <memory>

#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::cpu {

// Whether one is row-major and the other one channels last.
bool IsTurned(Layout from, Layout to);

// Of f32 to bf16 or back, between layouts that IsTurned; null for other types.
std::unique_ptr<Step> MakeTurnedStep(const Shape& shape, const Format& from,
                                     const Format& to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_REFERENCE_TURNED_STEP_H_
