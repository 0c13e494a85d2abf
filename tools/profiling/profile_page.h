// A profile as a page for a browser: where the time and the memory go.
#ifndef DOVETAIL_TOOLS_PROFILING_PROFILE_PAGE_H_
#define DOVETAIL_TOOLS_PROFILING_PROFILE_PAGE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/tools/profiling/profile.h"

namespace dovetail::profiling {

// What a page says at its head: "processor", "Intel(R) Xeon(R) …".
using Facts = std::vector<std::pair<std::string, std::string>>;

// What the page shows, for those who add to it. The graph and the memory are
// empty, and there are no places.
nlohmann::ordered_json ProfileData(const std::string& title, const Facts& facts,
                                   const Profile& profile,
                                   const std::string& device);

// `described` is what DescribeExecution gave; null for a device that does not
// show its graph: then there is no picture of it. `memory_plan` is the device's
// MEMORY_PLAN; where it does not say, the picture of the memory is by the graph.
std::string ProfilePage(const std::string& title, const Facts& facts,
                        const Profile& profile, const std::string& device,
                        const Model* described,
                        absl::string_view memory_plan = "");

}  // namespace dovetail::profiling

#endif  // DOVETAIL_TOOLS_PROFILING_PROFILE_PAGE_H_
