// A compiled model of the VPU.
#ifndef DOVETAIL_BACKENDS_VPU_VPU_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_VPU_VPU_EXECUTABLE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/program/program_executable.h"
#include "dovetail/backends/vpu/custom/custom_layers.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/simulator/vpu_plan_compiler.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/properties/property.h"

namespace dovetail::vpu {

class VpuExecutable : public ProgramExecutable {
 public:
  // Takes a model whose nodes are all supported. In an import the machine is
  // that of the export; kInvalidArgument, with what differs, where the call
  // asks for another.
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      LoweredModel lowered, const PluginCall& call);

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::Status Export(BlobWriter& blob) const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;

 private:
  VpuExecutable(LoweredModel lowered, const PluginCall& call,
                const Machine& machine, Programs compiled,
                std::shared_ptr<const CustomLayers> custom);

  const Machine machine_;
  // What the caller said of it, which config() is without: an export has the
  // machine itself, and needs no file.
  const PropertyMap file_properties_;
  const std::shared_ptr<const CustomLayers> custom_;
  std::shared_ptr<VpuPlanCompiler> plan_compiler_;
  Programs programs_;  // that do not wait for the shapes of an inference
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_VPU_EXECUTABLE_H_
