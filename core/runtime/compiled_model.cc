#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/blob_header.h"
#include "dovetail/core/runtime/files.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {
namespace {

// What the user has chosen, to be in force again after an import. Where models
// are cached is a matter of the program, not of the model.
PropertyMap ChosenProperties(const Config& config) {
  PropertyMap chosen;
  for (const auto& [name, entry] : config.entries()) {
    const bool keep = entry.origin != PropertyOrigin::kDefault &&
                      name != properties::kCacheDir;
    if (keep) chosen[name] = entry.value;
  }
  return chosen;
}

}  // namespace

CompiledModel::CompiledModel(std::shared_ptr<const Executable> executable,
                             Origin origin)
    : executable_(std::move(executable)),
      origin_(std::make_shared<const Origin>(std::move(origin))) {}

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

absl::StatusOr<InferRequest> CompiledModel::NewRequest() const {
  DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Request> request,
                            Request::Create(executable_));
  return InferRequest(std::move(request));
}

absl::StatusOr<std::string> CompiledModel::GetProperty(
    absl::string_view name) const {
  if (name == properties::kNetworkName) return origin_->model_name;
  if (name == properties::kExecutionDevices) {
    // A device made of others knows which of them it runs on.
    auto devices = executable_->GetMetric(name);
    return devices.ok() ? devices : origin_->device;
  }
  if (name == properties::kLoadedFromCache) {
    return origin_->loaded_from_cache ? "YES" : "NO";
  }
  if (auto entry = config().Find(name); entry.ok()) return entry->value;
  auto metric = executable_->GetMetric(name);
  if (metric.ok() || metric.status().code() != absl::StatusCode::kNotFound) {
    return metric;
  }
  PropertySchema known;
  for (const absl::string_view key :
       {properties::kNetworkName, properties::kExecutionDevices,
        properties::kLoadedFromCache,
        properties::kOptimalNumberOfInferRequests}) {
    DOVETAIL_RETURN_IF_ERROR(known.Add(ReadOnlyProperty(key, "", "")));
  }
  for (const auto& [key, entry] : config().entries()) {
    DOVETAIL_RETURN_IF_ERROR(known.Add(TextProperty(key, "", "")));
  }
  return known.Find(name).status().ok() ? metric.status()
                                        : known.Find(name).status();
}

absl::StatusOr<std::string> CompiledModel::ExportToString() const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string payload, executable_->Export());
  BlobHeader header;
  header.device = origin_->plugin;
  header.architecture = origin_->architecture;
  header.build = CurrentBuild();
  header.model_name = origin_->model_name;
  header.properties = ChosenProperties(config());
  return WriteBlob(header, payload);
}

absl::Status CompiledModel::Export(const std::string& path) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string bytes, ExportToString());
  return WriteFileAtomically(path, bytes);
}

}  // namespace dovetail
