// What a device says of its memory, as data of a page.
#ifndef DOVETAIL_TOOLS_PROFILING_MEMORY_PLAN_H_
#define DOVETAIL_TOOLS_PROFILING_MEMORY_PLAN_H_

#include <nlohmann/json.hpp>

#include "absl/strings/string_view.h"

namespace dovetail::profiling {

// Of the text of a compiled model's MEMORY_PLAN: {"arenas": [bytes, …],
// "regions": [[arena, offset, bytes, first, last, type, name], …]}. Null where
// it tells of no memory; lines that are no such are passed over, as are regions
// that do not lie in an arena.
nlohmann::ordered_json MemoryPlanData(absl::string_view text);

}  // namespace dovetail::profiling

#endif  // DOVETAIL_TOOLS_PROFILING_MEMORY_PLAN_H_
