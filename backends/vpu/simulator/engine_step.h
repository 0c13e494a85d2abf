// Steps that an engine's layers are in the simulator.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_ENGINE_STEP_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_ENGINE_STEP_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/vpu/program/program.h"
#include "dovetail/backends/vpu/simulator/accumulation.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::vpu {

// Adds a step for a convolution of one or two spatial axes, or a product with a
// matrix of constants, in f16, with the layers behind it that an engine applies
// on the way out. False: this is none, and nothing was added. Profiles show
// `kernel`; products are added up as the tiles of `program` ask.
absl::StatusOr<bool> AddEngineStep(const Node& node, absl::string_view kernel,
                                   const Program& program,
                                   Accumulation accumulation,
                                   PlanBuilderBase& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_ENGINE_STEP_H_
