// A compiled model of the CPU.
#ifndef DOVETAIL_BACKENDS_CPU_CPU_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_CPU_CPU_EXECUTABLE_H_

#include <memory>
#include <string>

#include "dovetail/backends/common/program/program_executable.h"
#include "dovetail/backends/cpu/compiler/kernel_choices.h"
#include "dovetail/backends/cpu/program/cpu_plan_compiler.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/plugin/lowered/lowered_bytes.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::cpu {

// What an export holds.
struct CpuExportOptions {
  WeightsPlace weights = WeightsPlace::kInside;
  // Packed constants, so that an import packs nothing: about as many bytes
  // again.
  bool packed = true;
};

class CpuExecutable : public ProgramExecutable {
 public:
  // Takes a model whose nodes are all supported. In an import, call.blob is
  // what Export has written of it: packed constants are used where they lie,
  // shared with other processes, as far as they suit this machine and
  // configuration; the others are packed anew.
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      LoweredModel lowered, const PluginCall& call);

  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  std::vector<PropertySpec> own_properties() const override;
  absl::Status Export(BlobWriter& blob) const override;
  // As the options say instead of CACHE_MODE. Written chunk by chunk, from
  // where the constants lie; needs no memory to speak of.
  absl::Status Export(const CpuExportOptions& options,
                      BlobWriter& writer) const;

  // Kernels that CPU_TUNE has chosen, here or where an import comes from.
  const KernelChoices& choices() const { return plan_compiler_->choices(); }
  // Which says how many packed constants came with an import.
  const WeightsCache& weights() const { return plan_compiler_->weights(); }

 private:
  CpuExecutable(LoweredModel lowered, const PluginCall& call);
  absl::Status Compile(const PluginCall& call);
  absl::Status CreateProgram(WorkTeam& team);
  absl::Status CreateTunedProgram(WorkTeam& team);
  absl::Status ReadImportedChoices(const PluginCall& call);
  int threads_a_stream() const;

  std::shared_ptr<CpuPlanCompiler> plan_compiler_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_CPU_EXECUTABLE_H_
