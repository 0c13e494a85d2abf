#include "dovetail/backends/batch/batch_executable.h"

#include <chrono>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/batch/batch_context.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::batch {
namespace {

std::unique_ptr<Gathering> GatheringOf(BatchParts& parts, const BatchAxes& axes,
                                       const Config& config) {
  if (parts.largest_size() == 1) return nullptr;
  return std::make_unique<Gathering>(
      parts, axes, std::chrono::milliseconds(config.GetInt(kTimeout)));
}

}  // namespace

BatchExecutable::BatchExecutable(ExecutableInfo info, CompiledParts compiled,
                                 BatchParts::Compile compile,
                                 std::shared_ptr<Host> host)
    : Executable(std::move(info)),
      compiled_{compiled.device, {}, compiled.axes, compiled.reason},
      host_(std::move(host)),
      parts_(std::move(compiled.parts), std::move(compile)),
      gathering_(GatheringOf(parts_, compiled_.axes, config())) {}

absl::StatusOr<std::unique_ptr<ExecutionContext>> BatchExecutable::NewContext()
    const {
  if (gathering_ == nullptr) return parts_.largest().NewContext();
  return BatchContext::Create(*this, *gathering_);
}

absl::StatusOr<std::string> BatchExecutable::GetMetric(
    absl::string_view name) const {
  if (name == properties::kExecutionDevices) return compiled_.device;
  if (name == properties::kOptimalBatchSize)
    return absl::StrCat(parts_.largest_size());
  if (name == kReason) return compiled_.reason;
  if (name == kTimeout) {
    if (gathering_ == nullptr) return config().GetString(kTimeout);
    return absl::StrCat(gathering_->timeout().count());
  }
  if (name != properties::kOptimalNumberOfInferRequests) return OfPart(name);
  int64_t batches = 1;
  const auto of_part = OfPart(name);
  if (of_part.ok() && !absl::SimpleAtoi(*of_part, &batches)) batches = 1;
  return absl::StrCat(batches * static_cast<int64_t>(parts_.largest_size()));
}

absl::StatusOr<std::string> BatchExecutable::OfPart(
    absl::string_view name) const {
  absl::StatusOr<std::string> value = parts_.largest().GetMetric(name);
  if (value.ok()) return value;
  // What is in force for the device, which may have defaults of its own; but
  // its list of devices and its cache are not those of the whole.
  if (name == properties::kDevicePriorities || name == properties::kCacheDir) {
    return Executable::GetMetric(name);
  }
  const auto entry = parts_.largest().config().Find(name);
  return entry.ok() ? entry->value : Executable::GetMetric(name);
}

std::vector<PropertySpec> BatchExecutable::own_properties() const {
  std::vector<PropertySpec> specs = {ReadOnlyProperty(
      kReason, "text", "Why requests run one by one; empty: they do not.")};
  if (gathering_ != nullptr) {
    specs.push_back(IntProperty(kTimeout, 1000, 0, 3600000,
                                "How long requests wait for others, in ms."));
  }
  return specs;
}

absl::Status BatchExecutable::SetProperty(absl::string_view name,
                                          absl::string_view value) const {
  int64_t timeout = 0;
  if (name != kTimeout || gathering_ == nullptr ||
      !absl::SimpleAtoi(value, &timeout)) {
    return Executable::SetProperty(name, value);
  }
  gathering_->SetTimeout(std::chrono::milliseconds(timeout));
  return absl::OkStatus();
}

absl::Status BatchExecutable::Export(BlobWriter& blob) const {
  ExportedBatch batch = {{inputs().begin(), inputs().end()},
                         {outputs().begin(), outputs().end()},
                         compiled_};
  batch.compiled.parts = parts_.All();
  DOVETAIL_RETURN_IF_ERROR(WriteBatch(batch, blob));
  for (const auto& [count, part] : batch.compiled.parts) {
    BlobWriter sections = blob.Nested(PartSection(count));
    DOVETAIL_RETURN_IF_ERROR(host_->Export(*part, compiled_.device, sections));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::batch
