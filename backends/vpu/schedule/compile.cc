#include "dovetail/backends/vpu/schedule/compile.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/schedule/adjust_location.h"
#include "dovetail/backends/vpu/schedule/cmx_plan.h"
#include "dovetail/backends/vpu/schedule/graph/build_graph.h"
#include "dovetail/backends/vpu/schedule/inject_work.h"
#include "dovetail/backends/vpu/schedule/memory_map.h"
#include "dovetail/backends/vpu/schedule/reorder_stages.h"
#include "dovetail/backends/vpu/schedule/stage_times.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

absl::Status Check(const Network& network) {
  for (size_t i = 0; i < network.size(); ++i) {
    const Layer& layer = network[i];
    for (int input : layer.inputs) {
      if (input < 0 || input >= static_cast<int>(i)) {
        return InvalidArgument("layer '", layer.name, "' reads layer ", input,
                               ", which does not come before it");
      }
    }
    const ConvShape& s = layer.shape;
    const int64_t least = std::min(
        {s.in_channels, s.out_channels, s.in_width, s.in_height, s.out_width,
         s.out_height, s.kernel_x, s.kernel_y, s.stride, layer.repeats});
    if (least < 1) {
      return InvalidArgument("layer '", layer.name, "' has an extent of ",
                             least, ", but at least 1 is needed");
    }
  }
  return absl::OkStatus();
}

struct Pass {
  absl::string_view name;
  void (*run)(const Machine& machine, StageGraph& graph);
  double Machine::*is_on;  // null: always
};

constexpr Pass kPasses[] = {
    {"vpu-reorder-stages", &ReorderStages, nullptr},
    {"vpu-spill-to-ddr", &SpillToDdr, nullptr},
    {"vpu-pack-into-cmx", &PackIntoCmx, &Machine::pack_inputs},
    {"vpu-eliminate-copies", &EliminateCopies, &Machine::spare_copies},
    {"vpu-inject-work", &InjectWork, &Machine::inject_work},
};

}  // namespace

absl::StatusOr<Compiled> Compile(const Machine& machine, const Network& network,
                                 const CustomWorks& works,
                                 const ObservePass& observe) {
  DOVETAIL_RETURN_IF_ERROR(Check(network));
  StageGraph graph = BuildGraph(machine, network);
  if (observe) observe("vpu-build-graph", graph);
  for (const Pass& pass : kPasses) {
    if (pass.is_on != nullptr && machine.*pass.is_on == 0) continue;
    pass.run(machine, graph);
    if (observe) observe(pass.name, graph);
  }
  const CmxPlan plan = PlanCmx(machine, graph);
  Compiled compiled;
  compiled.stages = TimeStages(machine, graph, plan, works);
  compiled.memory = MapMemory(graph, plan);
  return compiled;
}

}  // namespace dovetail::vpu
