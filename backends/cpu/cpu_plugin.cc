#include "dovetail/backends/cpu/cpu_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/host_plugin.h"
#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/cpu_executable.h"
#include "dovetail/backends/cpu/lowering.h"
#include "dovetail/backends/cpu/steps/convolution/integer_choice.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/executor/cpu_info.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace cpu {
namespace {

constexpr int kMaxStreams = 256;

class CpuPlugin : public HostPlugin {
 public:
  CpuPlugin()
      : HostPlugin({"CPU", "intel64", kMaxStreams,
                    {"dynamic", "f32", "bf16", "f16"}}) {}

  absl::StatusOr<std::vector<Device>> Devices() const override {
    if (!ProcessorHasAvx2()) {
      return Unavailable("the CPU backend needs a processor with AVX2 and FMA; "
                         "REFERENCE runs on any");
    }
    const std::string model = CpuModelName();
    return std::vector<Device>{{/*id=*/"", model.empty() ? "CPU" : model}};
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    if (name == properties::kOptimizationCapabilities) {
      return absl::StrCat("FP32 ", ProcessorHasBf16() ? "BF16 " : "", "FP16 ",
                          HasIntegerConvolutions() ? "INT8 " : "",
                          "BIN EXPORT_IMPORT");
    }
    return HostPlugin::GetMetric(name);
  }

  absl::Status Lower(Model& model, const Config& config) const override {
    return LowerForCpu(model, config);
  }

  absl::StatusOr<std::unique_ptr<Executable>> Import(
      absl::string_view blob, const Config& config) const override {
    const absl::StatusOr<BlobReader> reader = BlobReader::FromBytes(blob);
    if (reader.ok()) return CpuExecutable::Import(*reader, config);
    return DataLoss("the exported model is damaged: ",
                    reader.status().message());
  }

 private:
  absl::StatusOr<std::unique_ptr<Executable>> Create(
      LoweredModel lowered, const Config& config) const override {
    return CpuExecutable::Create(std::move(lowered), config);
  }
};

}  // namespace
}  // namespace cpu

absl::StatusOr<std::unique_ptr<Plugin>> MakeCpuPlugin() {
  auto plugin = std::make_unique<cpu::CpuPlugin>();
  DOVETAIL_RETURN_IF_ERROR(plugin->Initialize());
  return plugin;
}

}  // namespace dovetail
