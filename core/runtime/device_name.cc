#include "dovetail/core/runtime/device_name.h"

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<DeviceName> ParseDeviceName(absl::string_view name) {
  DeviceName result;
  absl::string_view fault = "";
  const size_t mark = name.find_first_of(".:");
  result.kind = std::string(name.substr(0, mark));
  if (mark != absl::string_view::npos) {
    std::string& rest = name[mark] == '.' ? result.id : result.priorities;
    rest = std::string(name.substr(mark + 1));
    if (rest.empty()) {
      fault = name[mark] == '.' ? "no id follows the point, "
                                : "no list of devices follows the colon, ";
    }
  }
  if (result.kind.find(',') != std::string::npos) {
    fault = "several make a list of one that is made of others, ";
  }
  if (!result.kind.empty() && fault.empty()) return result;
  return InvalidArgument("'", name, "' is no device: ", fault,
                         "want a name such as CPU,",
                         " GPU.1 or MULTI:CPU,GPU.1");
}

}  // namespace dovetail
