#include "dovetail/backends/vpu/schedule/adjust_location.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/schedule/cmx_plan.h"

namespace dovetail::vpu {
namespace {

std::string WhySpilled(const StageGraph& graph, const CmxPlan& plan) {
  const Work& failed = graph.work[plan.failed];
  const char* const lacks = !plan.lacks_shaves               ? "no room"
                            : failed.need == ShaveNeed::kMax ? "not all SHAVEs"
                                                             : "no SHAVE";
  return absl::StrCat("spilled: ", failed.name, " finds ", lacks,
                      " in CMX beside ", plan.live.size(),
                      plan.live.size() == 1 ? " buffer" : " buffers");
}

// The copy to DDR, without its readers.
Work SpillOf(const StageGraph& graph, int buffer, int to, int failed) {
  Work copy;
  copy.lane = Lane::kDma;
  copy.kind = LayerKind::kCopy;
  copy.layer = graph.work[failed].layer;
  copy.inputs = {buffer};
  copy.output = to;
  copy.is_spill = true;
  for (const Work& writer : graph.work) {
    if (graph.Root(writer.output) != buffer) continue;
    copy.name = absl::StrCat(writer.name, "@move-to-DDR");
    break;
  }
  copy.planes = graph.buffers[buffer].planes;
  copy.rows = graph.buffers[buffer].rows;
  copy.width = graph.buffers[buffer].width;
  copy.elements = copy.planes * copy.rows * copy.width;
  return copy;
}

// Sends all readers of a buffer to its copy, which comes behind the last
// writer. False where nobody reads it but such copies.
bool Spill(int buffer, const std::string& why, int failed, StageGraph& graph) {
  std::vector<std::pair<int, size_t>> readers;
  for (const int index : graph.order) {
    const Work& work = graph.work[index];
    if (work.is_spill) continue;
    for (size_t i = 0; i < work.inputs.size(); ++i) {
      if (graph.Root(work.inputs[i]) == buffer) readers.emplace_back(index, i);
    }
  }
  if (readers.empty()) return false;
  Buffer moved = graph.buffers[buffer];
  moved.place = Place::kDdr;
  moved.is_pinned = true;
  moved.reason = why;
  graph.buffers.push_back(std::move(moved));
  const int to = static_cast<int>(graph.buffers.size()) - 1;
  for (const auto& [index, i] : readers) graph.work[index].inputs[i] = to;
  Work copy = SpillOf(graph, buffer, to, failed);
  copy.reason = why;
  graph.work.push_back(std::move(copy));
  const auto writer =
      std::find_if(graph.order.rbegin(), graph.order.rend(), [&](int index) {
        return graph.Root(graph.work[index].output) == buffer;
      });
  graph.order.insert(writer.base(), static_cast<int>(graph.work.size()) - 1);
  return true;
}

// What no spill helps: the output itself is in DDR.
void GiveUp(const CmxPlan& plan, StageGraph& graph) {
  const int root = graph.Root(graph.work[plan.failed].output);
  std::vector<int> all = plan.live;
  if (!plan.lacks_shaves) all = {root};
  for (const int buffer : all) {
    graph.buffers[buffer].place = Place::kDdr;
    graph.buffers[buffer].is_pinned = true;
    graph.buffers[buffer].reason = WhySpilled(graph, plan);
  }
}

}  // namespace

void SpillToDdr(const Machine& machine, StageGraph& graph) {
  std::vector<bool> has_failed(graph.work.size());
  while (true) {
    const CmxPlan plan = PlanCmx(machine, graph);
    if (plan.fits()) return;
    has_failed.resize(graph.work.size());
    bool is_helped = false;
    if (!has_failed[plan.failed]) {
      has_failed[plan.failed] = true;
      const std::string why = WhySpilled(graph, plan);
      for (const int buffer : plan.live) {
        is_helped |= Spill(buffer, why, plan.failed, graph);
      }
    }
    if (!is_helped) GiveUp(plan, graph);
  }
}

void PackIntoCmx(const Machine& machine, StageGraph& graph) {
  std::vector<bool> is_seen(graph.buffers.size());
  for (const int index : graph.order) {
    if (graph.work[index].lane != Lane::kNce) continue;
    for (const int input : graph.work[index].inputs) {
      const int root = graph.Root(input);
      Buffer& buffer = graph.buffers[root];
      if (is_seen[root] || buffer.is_border || buffer.is_pinned ||
          buffer.place == Place::kCmx) {
        continue;
      }
      is_seen[root] = true;
      buffer.place = Place::kCmx;
      if (PlanCmx(machine, graph).fits()) continue;
      buffer.place = Place::kDdr;
      if (buffer.reason.empty()) {
        buffer.reason =
            absl::StrCat("its ", buffer.bytes, " bytes find no room in CMX");
      }
    }
  }
}

}  // namespace dovetail::vpu
