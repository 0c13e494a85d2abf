#include "dovetail/backends/hetero/run/hetero_executable.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/hetero/run/hetero_context.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::hetero {

std::string PartSection(size_t part) { return absl::StrCat("part ", part); }

absl::StatusOr<std::unique_ptr<ExecutionContext>> HeteroExecutable::NewContext()
    const {
  return HeteroContext::Create(*this, wiring_, parts_);
}

absl::StatusOr<std::string> HeteroExecutable::GetMetric(
    absl::string_view name) const {
  if (name != properties::kExecutionDevices) return OfParts(name);
  std::vector<std::string> devices;
  for (const PartWiring& part : wiring_.parts) {
    if (std::find(devices.begin(), devices.end(), part.device) ==
        devices.end()) {
      devices.push_back(part.device);
    }
  }
  return absl::StrJoin(devices, " ");
}

// What is in force where it first is: a part that has no such key tells
// nothing.
absl::StatusOr<std::string> HeteroExecutable::OfParts(
    absl::string_view name) const {
  // The whole is cached, no part is.
  if (name == properties::kCacheDir) return Executable::GetMetric(name);
  int64_t requests = 0;
  for (const auto& part : parts_) {
    absl::StatusOr<std::string> value = part->GetMetric(name);
    if (!value.ok()) {
      const auto entry = part->config().Find(name);
      if (entry.ok()) value = entry->value;
    }
    if (!value.ok()) continue;
    if (name != properties::kOptimalNumberOfInferRequests) return value;
    // Of the part that needs most.
    int64_t of_part = 0;
    if (absl::SimpleAtoi(*value, &of_part)) {
      requests = std::max(requests, of_part);
    }
  }
  if (name == properties::kOptimalNumberOfInferRequests) {
    return absl::StrCat(std::max<int64_t>(requests, 1));
  }
  return Executable::GetMetric(name);
}

// ---- The graph that runs ----

const JoinedModel* HeteroExecutable::joined() const {
  std::call_once(join_once_, [this] {
    joined_ = JoinedModel::Join(inputs(), wiring_, parts_);
  });
  return joined_.get();
}

const Model* HeteroExecutable::runtime_model() const {
  return joined() == nullptr ? nullptr : &joined()->model();
}

ExecutionInfo HeteroExecutable::execution_info(const Node& node) const {
  return joined() == nullptr ? ExecutionInfo() : joined()->InfoOf(node);
}

absl::Status HeteroExecutable::Export(BlobWriter& blob) const {
  const WiredModel model = {{inputs().begin(), inputs().end()},
                            {outputs().begin(), outputs().end()},
                            wiring_};
  DOVETAIL_RETURN_IF_ERROR(WriteWiring(model, blob));
  for (size_t p = 0; p < parts_.size(); ++p) {
    BlobWriter part = blob.Nested(PartSection(p));
    DOVETAIL_RETURN_IF_ERROR(
        host_->Export(*parts_[p], wiring_.parts[p].device, part));
  }
  return absl::OkStatus();
}

}  // namespace dovetail::hetero
