#include "dovetail/backends/common/program/analysis/memory_plan.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"

namespace dovetail {
namespace {

// The numbers of arenas and steps that come before a program's own.
struct Before {
  int arenas = 0;
  int64_t steps = 0;
};

void AddPlan(const StaticPlan& plan, const Before& before, std::string& text) {
  int arena = before.arenas;
  for (const int64_t bytes : plan.ArenaBytes()) {
    absl::StrAppend(&text, "arena ", arena++, " ", bytes, "\n");
  }
  for (const MemoryRegion& region : plan.Memory()) {
    absl::StrAppend(&text, "region ", before.arenas + region.arena, " ",
                    region.offset, " ", region.bytes, " ",
                    before.steps + region.first, " ");
    absl::StrAppend(&text, before.steps + region.last, " ", region.type, " ",
                    region.name, "\n");
  }
}

// `before` counts what is added.
void AddProgram(const Program& program, Before& before, std::string& text) {
  const std::shared_ptr<const SpecializedModel> last = program.Last();
  if (last == nullptr) return;
  if (last->plan != nullptr) {
    AddPlan(*last->plan, before, text);
    before.arenas += static_cast<int>(last->plan->ArenaBytes().size());
    before.steps += last->plan->step_count();
  }
  before.steps += static_cast<int64_t>(last->barriers.size());
  for (const SpecializedModel::Segment& segment : last->segments) {
    AddProgram(*segment.program, before, text);
  }
}

}  // namespace

PropertySpec MemoryPlanProperty() {
  return ReadOnlyProperty(kMemoryPlan, "text",
                          "what lies where in the memory between steps");
}

std::string MemoryPlanText(const Program& program) {
  std::string text;
  Before before;
  AddProgram(program, before, text);
  return text;
}

}  // namespace dovetail
