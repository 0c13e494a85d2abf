// The devices that AUTO chooses from.
#ifndef DOVETAIL_BACKENDS_AUTO_CANDIDATES_H_
#define DOVETAIL_BACKENDS_AUTO_CANDIDATES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/plugin/host.h"

namespace dovetail::automatic {

// What a user writes for all devices that there are.
inline constexpr absl::string_view kAllDevices = "*";

// "GPU,CPU": these, in this order. "*": all that the host has, but for those
// that are there to be compared with (REFERENCE, NULL), discrete devices first,
// then others, then the CPU, then what computes on the CPU by a driver. A name
// with a '-' before it is left out, "GPU" with all of its kind; such names
// alone mean all others. kInvalidArgument where none is left, kNotFound where
// there is none at all.
absl::StatusOr<std::vector<std::string>> ReadCandidates(absl::string_view list,
                                                        Host& host);

// Logs the names of the list that leave out a device that is not there: all is
// as if they were not written, which may not be what was meant.
void WarnOfMissing(absl::string_view list, Host& host);

// Whether it is the CPU, which compiles fast.
bool IsCpu(absl::string_view device);

// Moves those that do not have the model's precision behind the others.
std::vector<std::string> ByPrecision(std::vector<std::string> devices,
                                     absl::string_view precision, Host& host);

}  // namespace dovetail::automatic

#endif  // DOVETAIL_BACKENDS_AUTO_CANDIDATES_H_
