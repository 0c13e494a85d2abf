#include <utility>

#include "dovetail/core/base/catch_exceptions.h"
#include "dovetail/core/base/files/atomic_file.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/compilation.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {

CompiledModel::CompiledModel(std::shared_ptr<const Executable> executable,
                             std::shared_ptr<const CompiledOrigin> origin)
    : executable_(std::move(executable)), origin_(std::move(origin)) {}

absl::Span<const PortInfo> CompiledModel::inputs() const {
  return executable_->inputs();
}
absl::Span<const PortInfo> CompiledModel::outputs() const {
  return executable_->outputs();
}
const Config& CompiledModel::config() const { return executable_->config(); }
const Model* CompiledModel::runtime_model() const {
  return executable_->runtime_model();
}

std::unique_ptr<Model> CompiledModel::DescribeExecution() const {
  const Model* const model = executable_->runtime_model();
  if (model == nullptr) return nullptr;
  return ::dovetail::DescribeExecution(*model, [this](const Node& node) {
    ExecutionInfo info = executable_->execution_info(node);
    if (info.device.empty() && !info.kernel.empty()) {
      info.device = origin_->device;
    }
    return info;
  });
}

absl::StatusOr<InferRequest> CompiledModel::NewRequest() const {
  const AllocatorScope memory(origin_->allocator);
  DOVETAIL_ASSIGN_OR_RETURN(
      std::unique_ptr<Request> request,
      CatchExceptions([] { return "making a request"; },
                      [this] { return Request::Create(executable_); }));
  return InferRequest(std::move(request));
}

absl::StatusOr<std::shared_ptr<RemoteContext>> CompiledModel::Context() const {
  if (origin_->context != nullptr) return origin_->context;
  return origin_->plugin->CreateContext({}, {config(), *origin_->host});
}

// ---- Properties ----

// All that can be read, and what of it can be set.
std::vector<PropertySpec> CompiledModel::Specs() const {
  std::vector<PropertySpec> specs = {
      ReadOnlyProperty(properties::kSupportedProperties, "list of names", ""),
      ReadOnlyProperty(properties::kNetworkName, "text", ""),
      ReadOnlyProperty(properties::kExecutionDevices, "list of devices", ""),
      ReadOnlyProperty(properties::kLoadedFromCache, "YES or NO", ""),
      ReadOnlyProperty(properties::kCacheMissReason, "text", ""),
      ReadOnlyProperty(properties::kOptimalNumberOfInferRequests, "number", ""),
      ReadOnlyProperty(properties::kOptimalBatchSize, "number", "")};
  PropertySchema schema =
      PropertySchema::Make(specs).value_or(PropertySchema());
  for (PropertySpec& spec : executable_->own_properties()) {
    schema.Add(std::move(spec)).IgnoreError();  // its own, or one of the above
  }
  for (const auto& [key, entry] : config().entries()) {
    schema.Add(ReadOnlyProperty(key, "text", "")).IgnoreError();
  }
  return schema.specs();
}

absl::StatusOr<std::string> CompiledModel::GetProperty(
    absl::string_view name) const {
  const PropertySchema& schema = origin_->schema;
  DOVETAIL_ASSIGN_OR_RETURN(const std::string value,
                            ValueInForce(std::string(schema.Canonical(name))));
  return schema.Told(name, value);
}

absl::StatusOr<std::string> CompiledModel::ValueInForce(
    const std::string& name) const {
  if (name == properties::kSupportedProperties) {
    return properties::SupportedProperties(Specs());
  }
  if (name == properties::kNetworkName) return origin_->header.model_name;
  if (name == properties::kLoadedFromCache) {
    return origin_->loaded_from_cache ? "YES" : "NO";
  }
  if (name == properties::kCacheMissReason) return origin_->cache_miss_reason;
  // What is in force may be other than what was asked for.
  auto metric = executable_->GetMetric(name);
  if (metric.ok() || !absl::IsNotFound(metric.status())) return metric;
  if (name == properties::kExecutionDevices) return origin_->device;
  if (name == properties::kOptimalBatchSize) return "1";
  if (auto entry = config().Find(name); entry.ok()) return entry->value;
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema known,
                            PropertySchema::Make(Specs()));
  DOVETAIL_RETURN_IF_ERROR(known.Find(name).status());
  return metric;
}

absl::Status CompiledModel::SetProperty(absl::string_view name_in,
                                        absl::string_view value) const {
  const std::string name(origin_->schema.Canonical(name_in));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySchema known,
                            PropertySchema::Make(Specs()));
  DOVETAIL_ASSIGN_OR_RETURN(const PropertySpec* spec, known.Find(name));
  if (spec->mutability == Mutability::kReadOnly) {
    return executable_->Executable::SetProperty(name, value);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::string canonical,
                            known.Check(name, value));
  return executable_->SetProperty(name, canonical);
}

// ---- Exports ----

absl::StatusOr<std::string> CompiledModel::ExportToString() const {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter blob(&sink);
  DOVETAIL_RETURN_IF_ERROR(ExportCompiled(*executable_, *origin_, blob));
  DOVETAIL_RETURN_IF_ERROR(blob.Finish());
  return bytes;
}

absl::Status CompiledModel::Export(const std::string& path) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<AtomicFile> file,
                            AtomicFile::Create(path));
  BlobWriter blob(file.get());
  DOVETAIL_RETURN_IF_ERROR(ExportCompiled(*executable_, *origin_, blob));
  DOVETAIL_RETURN_IF_ERROR(blob.Finish());
  return file->Commit();
}

}  // namespace dovetail
