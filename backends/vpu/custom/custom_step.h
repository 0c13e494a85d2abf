// Layers of the simulator that custom kernels compute.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_CUSTOM_STEP_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_CUSTOM_STEP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/backends/vpu/compiler/custom_work.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"

namespace dovetail::vpu {

// The kernels of a layer, compiled for a node of static shapes. Immutable.
class CustomKernels {
 public:
  virtual ~CustomKernels() = default;

  // Errors of ShaveProgram::Build and Resolve, with file and line, also for an
  // output that other layers read and no kernel fills. Where the build has no
  // OpenCL, kUnavailable.
  static absl::StatusOr<std::shared_ptr<const CustomKernels>> Compile(
      const ShaveLayer& layer, const Node& node);

  // What they do in one inference, by a run with the node's constants and with
  // zeros for all else. Nothing where it lasts longer than `watchdog_ms` (0:
  // for ever is allowed) or goes wrong in another way.
  virtual absl::StatusOr<std::optional<std::vector<CustomWork>>> Count(
      const Node& node, int64_t watchdog_ms) const = 0;

  // Adds a step that runs them, each for at most `watchdog_ms`; profiles show
  // `kernel`.
  virtual absl::Status AddStep(const Node& node, absl::string_view kernel,
                               int64_t watchdog_ms,
                               PlanBuilderBase& builder) const = 0;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_CUSTOM_STEP_H_
