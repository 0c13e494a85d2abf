// A compiled model of the GPU.
#ifndef DOVETAIL_BACKENDS_GPU_GPU_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_GPU_GPU_EXECUTABLE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/program/program_executable.h"
#include "dovetail/backends/gpu/compiler/gpu_plan_compiler.h"
#include "dovetail/backends/gpu/driver/device.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/plugin/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::gpu {

class GpuExecutable : public ProgramExecutable {
 public:
  // Takes a model whose nodes are all supported. In an import, call.blob is
  // what Export has written of it.
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      std::shared_ptr<ClDevice> device, LoweredModel lowered,
      const PluginCall& call);

  absl::Status Export(BlobWriter& blob) const override;

 private:
  GpuExecutable(LoweredModel lowered, const PluginCall& call);
  absl::Status Compile(std::shared_ptr<ClDevice> device,
                       const PluginCall& call);
  absl::Status Import(const BlobReader& blob);

  std::shared_ptr<GpuPlanCompiler> plan_compiler_;
  std::string platform_;  // that weights are packed for
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_GPU_EXECUTABLE_H_
