#include "dovetail/backends/batch/batch_plugin.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/batch/batch_bytes.h"
#include "dovetail/backends/batch/batch_executable.h"
#include "dovetail/backends/batch/batch_target.h"
#include "dovetail/backends/batch/proof/batch_axes.h"
#include "dovetail/backends/common/parts/for_each_part.h"
#include "dovetail/backends/common/parts/part_properties.h"
#include "dovetail/backends/common/parts/parts_plugin.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/ports/ports.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace batch {
namespace {

constexpr absl::string_view kAllow = "ALLOW_AUTO_BATCHING";

// 1, 2, 4 … and the last, in which a full batch runs.
std::vector<size_t> SizesUpTo(int64_t last) {
  std::vector<size_t> sizes;
  for (int64_t size = 1; size < last; size *= 2) {
    sizes.push_back(static_cast<size_t>(size));
  }
  sizes.push_back(static_cast<size_t>(last));
  return sizes;
}

// Makes all parts beside each other; `make` gives one of a size.
template <typename Make>
absl::Status FillParts(Parts& parts, const Make& make) {
  std::vector<size_t> sizes;
  for (const auto& [size, part] : parts) sizes.push_back(size);
  return ForEachPart(sizes.size(), [&](size_t i) -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(parts.at(sizes[i]), make(sizes[i]));
    return absl::OkStatus();
  });
}

// A row of a batch has to have an address.
absl::Status CheckTypes(const std::vector<PortInfo>& ports) {
  for (const PortInfo& port : ports) {
    if (!PackedStrides(port.type, Shape({1})).ok() ||
        PackedStrides(port.type, Shape({1}))->empty() ||
        port.type == ElementType::kString) {
      return Unimplemented(DescribePort("port", port), " is of type ",
                           ElementTypeName(port.type),
                           ", of which there are no rows");
    }
  }
  return absl::OkStatus();
}

class BatchPlugin : public PartsPlugin {
 public:
  explicit BatchPlugin(PropertySchema schema)
      : PartsPlugin("BATCH", std::move(schema)) {}

  absl::StatusOr<PropertySchema> PropertiesWithParts(
      const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const Target target, TargetOf(call));
    return WithPropertiesOf({target.device}, properties(), call.host);
  }

  absl::StatusOr<std::string> GetMetric(absl::string_view name,
                                        const PluginCall& call) const override {
    const bool is_capabilities = name == properties::kOptimizationCapabilities;
    if (is_capabilities &&
        call.config.GetString(properties::kDevicePriorities).empty()) {
      return "EXPORT_IMPORT";
    }
    DOVETAIL_ASSIGN_OR_RETURN(const Target target, TargetOf(call));
    if (is_capabilities) {
      return JoinedCapabilities({target.device}, call,
                                WholeExports::kWithParts);
    }
    // The schema has no others.
    if (name == kMaxBatchSize) return absl::StrCat(MostRequests(target, call));
    if (name == properties::kOptimalBatchSize) {
      DOVETAIL_ASSIGN_OR_RETURN(const int64_t size, BatchSizeOf(target, call));
      return absl::StrCat(size);
    }
    DOVETAIL_ASSIGN_OR_RETURN(std::string of_part,
                              JoinedMetric({target.device}, name, call));
    if (name != properties::kFullDeviceName) return of_part;
    return absl::StrCat("Batches of ", of_part);
  }

  std::string CacheIdentity(const PluginCall& call) const override {
    const auto target = TargetOf(call);
    if (!target.ok()) return "";
    return absl::StrCat(BatchSizeOf(*target, call).value_or(0), " of ",
                        CacheIdentityOf({target->device}, call));
  }

  absl::StatusOr<QueryResult> Query(const Model& model,
                                    const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const Target target, TargetOf(call));
    DOVETAIL_ASSIGN_OR_RETURN(
        const PropertyMap properties,
        PropertiesForPart(target.device, {target.device}, call));
    DOVETAIL_ASSIGN_OR_RETURN(
        QueryResult layers, call.host.Query(model, target.device, properties));
    BatchAxes axes;
    const absl::Status proved = Prove(model, target, call, axes).status();
    layers.notes.push_back(
        proved.ok() ? "BATCH gathers requests"
                    : absl::StrCat("BATCH leaves the model as it is: ",
                                   proved.message()));
    return layers;
  }

  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<Model> model, const PluginCall& call) const override {
    if (model == nullptr) return InvalidArgument("there is no model");
    DOVETAIL_ASSIGN_OR_RETURN(const Target target, TargetOf(call));
    DOVETAIL_ASSIGN_OR_RETURN(
        const PropertyMap properties,
        PropertiesForPart(target.device, {target.device}, call));
    CompiledParts compiled;
    compiled.device = target.device;
    const auto size = Prove(*model, target, call, compiled.axes);
    absl::Status batched = size.status();
    if (size.ok()) {
      for (const size_t count : SizesUpTo(*size)) {
        compiled.parts[count] = nullptr;
      }
      batched = FillParts(compiled.parts, [&](size_t count) {
        return CompilePart(*model, compiled, count, properties, call);
      });
    }
    if (!batched.ok()) {
      DOVETAIL_RETURN_IF_ERROR(
          LeaveAlone(*model, batched, properties, call, compiled));
    }
    return std::make_unique<BatchExecutable>(
        ExecutableInfo{InputPorts(*model), OutputPorts(*model), call.config},
        std::move(compiled), call.host.shared_from_this());
  }

  absl::StatusOr<std::unique_ptr<Executable>> Import(
      const PluginCall& call) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const Target target, TargetOf(call));
    DOVETAIL_ASSIGN_OR_RETURN(ExportedBatch batch, ReadBatch(*call.blob));
    CompiledParts& compiled = batch.compiled;
    if (compiled.device != target.device) {
      return InvalidArgument("the model was compiled for '", compiled.device,
                             "', not for '", target.device, "'");
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        const PropertyMap properties,
        PropertiesForPart(target.device, {target.device}, call));
    DOVETAIL_RETURN_IF_ERROR(FillParts(compiled.parts, [&](size_t count) {
      return call.host.Import(call.blob->Nested(PartSection(count)),
                              target.device, properties);
    }));
    DOVETAIL_RETURN_IF_ERROR(CheckParts(batch));
    return std::make_unique<BatchExecutable>(
        ExecutableInfo{std::move(batch.inputs), std::move(batch.outputs),
                       call.config},
        std::move(compiled), call.host.shared_from_this());
  }

 private:
  // The size of the batch, above 1; else why there is none.
  static absl::StatusOr<int64_t> Prove(const Model& model, const Target& target,
                                       const PluginCall& call,
                                       BatchAxes& axes) {
    if (!call.config.GetBool(kAllow)) {
      return FailedPrecondition(kAllow, " is NO");
    }
    if (call.context != nullptr) {
      return Unimplemented("tensors of a device's memory are no rows");
    }
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t size, BatchSizeOf(target, call));
    if (size == 1) {
      return FailedPrecondition("the batch size of ", target.device, " is 1");
    }
    DOVETAIL_RETURN_IF_ERROR(CheckTypes(InputPorts(model)));
    DOVETAIL_RETURN_IF_ERROR(CheckTypes(OutputPorts(model)));
    DOVETAIL_ASSIGN_OR_RETURN(axes, FindBatchAxes(model));
    return size;
  }

  static absl::StatusOr<std::shared_ptr<const Executable>> CompilePart(
      const Model& model, const CompiledParts& compiled, size_t count,
      const PropertyMap& properties, const PluginCall& call) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const std::unique_ptr<Model> copy,
        BatchOf(model, compiled.axes.inputs, static_cast<int64_t>(count)));
    return call.host.Compile(*copy, compiled.device, properties, nullptr);
  }

  // The model as it is; a device that cannot compile a batch may compile that.
  static absl::Status LeaveAlone(const Model& model, const absl::Status& why,
                                 const PropertyMap& properties,
                                 const PluginCall& call,
                                 CompiledParts& compiled) {
    DOVETAIL_LOG(kWarning, "device BATCH:", compiled.device, " runs model '",
                 model.name(), "' as it is: ", why.message());
    compiled.reason = std::string(why.message());
    compiled.axes = {};
    compiled.parts.clear();
    DOVETAIL_ASSIGN_OR_RETURN(
        compiled.parts[1],
        call.host.Compile(model, compiled.device, properties, call.context));
    return absl::OkStatus();
  }
};

}  // namespace
}  // namespace batch

absl::StatusOr<std::unique_ptr<Plugin>> MakeBatchPlugin() {
  std::vector<PropertySpec> specs = properties::DeviceMetrics();
  specs.push_back(TextProperty(properties::kDevicePriorities, "",
                               "The device, with the batch size: GPU(4)."));
  specs.push_back(
      TextProperty(properties::kDeviceProperties, "",
                   "Properties of the device: {GPU:{NUM_STREAMS:2}}."));
  specs.push_back(ReadOnlyProperty(properties::kOptimalBatchSize, "number",
                                   "Requests of a full batch."));
  specs.push_back(ReadOnlyProperty(batch::kMaxBatchSize, "number",
                                   "The greatest size of a batch."));
  specs.push_back(IntProperty(
      batch::kTimeout, 1000, 0, 3600000,
      "Milliseconds that a request waits for others to make a batch."));
  specs.push_back(
      BoolProperty(batch::kAllow, true, "NO: models are left as they are."));
  specs.push_back(properties::PerformanceHintNumRequests());
  specs.push_back(properties::PerfCount());
  for (PropertySpec& spec : properties::CacheProperties()) {
    specs.push_back(std::move(spec));
  }
  DOVETAIL_ASSIGN_OR_RETURN(PropertySchema schema,
                            PropertySchema::Make(std::move(specs)));
  return std::make_unique<batch::BatchPlugin>(std::move(schema));
}

}  // namespace dovetail
