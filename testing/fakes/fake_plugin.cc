#include "dovetail/testing/fakes/fake_plugin.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/bytes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/binary/model_bytes.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/testing/fakes/fake_executable.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/decompose/primitives.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/upgrade/upgrade.h"

namespace dovetail {
namespace {

constexpr absl::string_view kTotalMemory = "DEVICE_TOTAL_MEM_SIZE";

// Few more kernels than an accelerator needs: shows that models can be said by
// these.
std::vector<std::string> NativeOperations() {
  std::vector<std::string> operations = PrimitiveOperations();
  operations.push_back("Relu");
  return operations;
}

class FakePlugin : public Plugin {
 public:
  explicit FakePlugin(std::shared_ptr<FakeDevice> device)
      : device_(std::move(device)) {}

  absl::Status AddProperties() {
    for (PropertySpec& spec : properties::DeviceMetrics()) {
      DOVETAIL_RETURN_IF_ERROR(properties_.Add(std::move(spec)));
    }
    DOVETAIL_RETURN_IF_ERROR(properties_.Add(ReadOnlyProperty(
        kTotalMemory, "bytes", "Size of the device's own memory.")));
    DOVETAIL_RETURN_IF_ERROR(properties_.Add(properties::CacheDir()));
    return properties_.Add(properties::PerfCount());
  }

  absl::string_view name() const override { return device_->name(); }

  absl::StatusOr<std::vector<Device>> Devices() const override {
    DOVETAIL_RETURN_IF_ERROR(device_->CheckPresent());
    return std::vector<Device>{{/*id=*/"", "Fake accelerator"}};
  }

  const PropertySchema& properties() const override { return properties_; }

  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override {
    if (name == properties::kDeviceArchitecture) return "fake";
    if (name == properties::kOptimizationCapabilities) {
      return "FP32 EXPORT_IMPORT";
    }
    if (name == kTotalMemory) return absl::StrCat(device_->memory_size());
    return Plugin::GetMetric(name);
  }

  absl::Status Lower(Model& model, const Config&) const override {
    PassManager passes("fake");
    AddCommonPasses(passes);
    passes.Add<Upgrade>(is_native_);
    passes.Add<Decompose>(is_native_);
    AddCommonPasses(passes);
    return passes.Run(model).status();
  }

  absl::Status Supports(const Node& node) const override {
    DOVETAIL_RETURN_IF_ERROR(device_->CheckSupported(node));
    if (!is_native_(node)) {
      return Unimplemented(node.Describe(), ": the device has no such kernel");
    }
    for (const auto& body : node.bodies()) {
      DOVETAIL_RETURN_IF_ERROR(
          Annotate(CheckSupported(*this, *body->model), node.Describe()));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const Config& config) const override {
    if (model == nullptr) return InvalidArgument("there is no model");
    DOVETAIL_RETURN_IF_ERROR(device_->CheckPresent());
    DOVETAIL_RETURN_IF_ERROR(model->Verify());
    DOVETAIL_RETURN_IF_ERROR(Lower(*model, config));
    DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *model));
    return FakeExecutable::Make(device_, std::move(model), config);
  }

  absl::StatusOr<std::unique_ptr<Executable>> Import(
      absl::string_view blob, const Config& config) const override {
    DOVETAIL_RETURN_IF_ERROR(device_->CheckPresent());
    ByteReader reader(blob);
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, ReadModel(reader));
    DOVETAIL_RETURN_IF_ERROR(reader.Finish());
    DOVETAIL_RETURN_IF_ERROR(CheckSupported(*this, *model));
    return FakeExecutable::Make(device_, std::move(model), config);
  }

 private:
  const std::shared_ptr<FakeDevice> device_;
  const NodePredicate is_native_ = IsOneOf(NativeOperations());
  PropertySchema properties_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> MakeFakePlugin(
    std::shared_ptr<FakeDevice> device) {
  auto plugin = std::make_unique<FakePlugin>(std::move(device));
  DOVETAIL_RETURN_IF_ERROR(plugin->AddProperties());
  return plugin;
}

}  // namespace dovetail
