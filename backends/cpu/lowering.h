// From a user's model to the one that the CPU compiles.
#ifndef DOVETAIL_BACKENDS_CPU_LOWERING_H_
#define DOVETAIL_BACKENDS_CPU_LOWERING_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/properties/config.h"

namespace dovetail::cpu {

// Passes that leave standard operations only: everything of floating point
// becomes f32 (what is computed in bf16 is chosen step by step), what is
// quantized is computed with integers (unless f32 or ACCURACY is asked for),
// and composites become one operation.
absl::Status LowerForCpu(Model& model, const Config& config);

// Passes on a copy of such a model for certain shapes. They simplify it, and
// find what only shapes tell: which Einsum is a product of matrices, and which
// sum is a masked attention's.
void AddPassesForShapes(PassManager& passes);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_LOWERING_H_
