#include "dovetail/backends/vpu/schedule/graph_text.h"

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

// "%3 CMX 458752", of a part with the number of the whole too.
std::string BufferText(const StageGraph& graph, int buffer) {
  const int root = graph.Root(buffer);
  return absl::StrCat(
      "%", buffer, root == buffer ? "" : absl::StrCat("/", root),
      graph.IsInCmx(buffer) ? " CMX " : " DDR ", graph.buffers[buffer].bytes);
}

}  // namespace

std::string GraphText(const StageGraph& graph) {
  std::string text;
  for (const int index : graph.order) {
    const Work& work = graph.work[index];
    absl::StrAppend(&text, Name(work.lane), " ", work.name, ":");
    for (const int input : work.inputs) {
      absl::StrAppend(&text, " ", BufferText(graph, input), ",");
    }
    absl::StrAppend(&text, " -> ", BufferText(graph, work.output));
    if (work.injected != kNone) {
      absl::StrAppend(&text, "; beside it ", graph.work[work.injected].name);
    }
    absl::StrAppend(&text, work.reason.empty() ? "" : "; ", work.reason, "\n");
  }
  return text;
}

}  // namespace dovetail::vpu
