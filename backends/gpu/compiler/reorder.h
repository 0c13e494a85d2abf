// Kernels that copy a tensor from one format to another.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_REORDER_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_REORDER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/gpu/compiler/settings.h"
#include "dovetail/backends/gpu/plan/steps.h"

namespace dovetail::gpu {

// One input and one output of that shape. kUnimplemented for a change of type
// other than between f32 and f16.
absl::StatusOr<std::unique_ptr<LaunchStep>> MakeReorderStep(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_REORDER_H_
