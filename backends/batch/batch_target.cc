#include "dovetail/backends/batch/batch_target.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/common/parts/device_list.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::batch {
namespace {

// A number above 0 that the device gives; 0: it gives none.
int64_t NumberOf(const Target& target, absl::string_view name,
                 const PluginCall& call) {
  const auto text = call.host.GetProperty(target.device, name);
  int64_t number = 0;
  const bool is_number = text.ok() && absl::SimpleAtoi(*text, &number);
  return is_number ? std::max<int64_t>(number, 0) : 0;
}

}  // namespace

absl::StatusOr<Target> ReadTarget(absl::string_view text) {
  Target target;
  absl::string_view device = text;
  if (absl::ConsumeSuffix(&device, ")")) {
    const size_t open = device.rfind('(');
    const absl::string_view number =
        open == device.npos ? "" : device.substr(open + 1);
    if (!absl::SimpleAtoi(number, &target.size) || target.size < 1 ||
        target.size > kMostRequests) {
      return InvalidArgument("device BATCH:", text, ": '(", number,
                             ")' is no batch size; it is a number from 1 to ",
                             kMostRequests);
    }
    device = device.substr(0, open);
  }
  if (absl::StripAsciiWhitespace(device).empty()) {
    return InvalidArgument("device BATCH needs a device, such as BATCH:GPU(4)");
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<std::string> devices,
      ReadDeviceList(device, "BATCH", ListCounts::kAllowed));
  if (devices.size() != 1) {
    return InvalidArgument("device BATCH:", text, ": there are ",
                           devices.size(),
                           " devices; a batch is for one, such as BATCH:GPU(4)"
                           " or BATCH:MULTI:GPU,CPU(4), and stands last in a "
                           "list, such as HETERO:CPU,BATCH:GPU(4)");
  }
  DOVETAIL_RETURN_IF_ERROR(ReadDeviceList(device, "BATCH").status());
  target.device = devices.front();
  return target;
}

absl::StatusOr<Target> TargetOf(const PluginCall& call) {
  return ReadTarget(call.config.GetString(properties::kDevicePriorities));
}

int64_t MostRequests(const Target& target, const PluginCall& call) {
  // What the user names is the user's to know; a GPU says 1 of itself.
  if (target.size > 0) return target.size;
  const int64_t most = NumberOf(target, kMaxBatchSize, call);
  return most == 0 ? kMostRequests : std::min(most, kMostRequests);
}

absl::StatusOr<int64_t> BatchSizeOf(const Target& target,
                                    const PluginCall& call) {
  int64_t size = target.size;
  if (size == 0) {
    size = std::min(NumberOf(target, properties::kOptimalBatchSize, call),
                    MostRequests(target, call));
  }
  const int64_t requests =
      call.config.GetInt(properties::kPerformanceHintNumRequests);
  if (requests > 0) size = std::min(size, requests);
  return std::max<int64_t>(size, 1);
}

}  // namespace dovetail::batch
