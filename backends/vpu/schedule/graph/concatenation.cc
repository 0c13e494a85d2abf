#include "dovetail/backends/vpu/schedule/graph/concatenation.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

// Whether the first work that writes the buffer is an engine's.
bool IsEngines(const StageGraph& graph, int buffer) {
  for (const int i : graph.order) {
    if (graph.work[i].output != buffer) continue;
    return graph.work[i].lane == Lane::kNce;
  }
  return false;
}

void AddPart(int layer, int part, int whole, GraphBuilder& builder) {
  const bool is_engines = IsEngines(builder.graph(), part);
  Buffer& buffer = builder.buffer(part);
  const bool is_taken = buffer.parent != kNone || buffer.is_border;
  if (!is_engines && !is_taken) {
    buffer.parent = whole;
    return;
  }
  Work copy = builder.CopyOf(
      layer, absl::StrCat(builder.layer(layer).name, "@copy-for-concat"), part,
      whole);
  copy.is_optional = is_engines && !is_taken;
  copy.reason = is_taken ? "an input that is a part of something else"
                         : "an engine's output, to its place";
  builder.AddWork(std::move(copy));
}

}  // namespace

void AddConcatenation(int layer, GraphBuilder& builder) {
  const int whole = builder.AddOutput(layer);
  for (const int input : builder.layer(layer).inputs) {
    const int part = builder.output(input);
    if (part != kNone) AddPart(layer, part, whole, builder);
  }
}

}  // namespace dovetail::vpu
