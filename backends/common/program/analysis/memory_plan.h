// Places of the tensors between a program's steps, as a metric of compiled
// models.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_MEMORY_PLAN_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_MEMORY_PLAN_H_

#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/core/properties/property.h"

namespace dovetail {

inline constexpr absl::string_view kMemoryPlan = "MEMORY_PLAN";
PropertySpec MemoryPlanProperty();

// A line for each arena, "arena NUMBER BYTES", and for each piece of its
// memory "region ARENA OFFSET BYTES FIRST LAST TYPE NAME": it is needed from
// step FIRST to step LAST, both included. Of the shapes that were asked for
// last; nothing before an inference told them. Each request has arenas of its
// own. Bodies of loops and branches, which have theirs, are not in it.
std::string MemoryPlanText(const Program& program);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_MEMORY_PLAN_H_
