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
    const auto source = std::make_shared<const Source>(
        Source{std::move(model), target.device, properties,
               call.host.shared_from_this()});
    DOVETAIL_ASSIGN_OR_RETURN(CompiledParts compiled,
                              CompileParts(*source, target, call));
    return std::make_unique<BatchExecutable>(
        ExecutableInfo{InputPorts(*source->model), OutputPorts(*source->model),
                       call.config},
        compiled,
        [source, axes = compiled.axes](size_t size) {
          return CompileFor(*source, axes, static_cast<int64_t>(size));
        },
        source->host);
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
    std::vector<size_t> sizes;
    for (const auto& [size, part] : compiled.parts) sizes.push_back(size);
    DOVETAIL_RETURN_IF_ERROR(
        ForEachPart(sizes.size(), [&](size_t i) -> absl::Status {
          DOVETAIL_ASSIGN_OR_RETURN(
              compiled.parts.at(sizes[i]),
              call.host.Import(call.blob->Nested(PartSection(sizes[i])),
                               target.device, properties));
          return absl::OkStatus();
        }));
    DOVETAIL_RETURN_IF_ERROR(CheckParts(batch));
    return std::make_unique<BatchExecutable>(
        ExecutableInfo{std::move(batch.inputs), std::move(batch.outputs),
                       call.config},
        std::move(compiled), nullptr, call.host.shared_from_this());
  }

 private:
  // What is needed to compile further parts.
  struct Source {
    std::shared_ptr<const Model> model;
    std::string device;
    PropertyMap properties;
    std::shared_ptr<Host> host;
  };
  struct FullBatch {
    int64_t size = 0;
    BatchAxes axes;
    std::shared_ptr<const Executable> part;
  };

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

  static absl::StatusOr<std::shared_ptr<const Executable>> CompileFor(
      const Source& source, const BatchAxes& axes, int64_t size) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<Model> copy,
                              BatchOf(*source.model, axes.inputs, size));
    return source.host->Compile(*copy, source.device, source.properties,
                                nullptr);
  }

  static absl::StatusOr<FullBatch> CompileFull(const Source& source,
                                               const Target& target,
                                               const PluginCall& call) {
    FullBatch full;
    DOVETAIL_ASSIGN_OR_RETURN(full.size,
                              Prove(*source.model, target, call, full.axes));
    DOVETAIL_ASSIGN_OR_RETURN(full.part,
                              CompileFor(source, full.axes, full.size));
    return full;
  }

  // The part for one request, which is the model as it is, and beside it the
  // proof and the part for a full batch; the others are null. Where there is no
  // full batch the model is left alone.
  static absl::StatusOr<CompiledParts> CompileParts(const Source& source,
                                                    const Target& target,
                                                    const PluginCall& call) {
    std::shared_ptr<const Executable> single;
    absl::StatusOr<FullBatch> full;
    DOVETAIL_RETURN_IF_ERROR(ForEachPart(2, [&](size_t i) -> absl::Status {
      if (i == 1) {
        full = CompileFull(source, target, call);
        return absl::OkStatus();
      }
      DOVETAIL_ASSIGN_OR_RETURN(
          single, call.host.Compile(*source.model, source.device,
                                    source.properties, call.context));
      return absl::OkStatus();
    }));
    CompiledParts compiled;
    compiled.device = source.device;
    compiled.parts[1] = std::move(single);
    if (!full.ok()) {
      DOVETAIL_LOG(kWarning, "device BATCH:", source.device, " runs model '",
                   source.model->name(),
                   "' as it is: ", full.status().message());
      compiled.reason = std::string(full.status().message());
      return compiled;
    }
    for (int64_t size = 2; size < full->size; size *= 2) {
      compiled.parts[static_cast<size_t>(size)] = nullptr;
    }
    compiled.parts[static_cast<size_t>(full->size)] = std::move(full->part);
    compiled.axes = std::move(full->axes);
    return compiled;
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
