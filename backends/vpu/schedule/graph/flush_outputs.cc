#include "dovetail/backends/vpu/schedule/graph/flush_outputs.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

constexpr char kOutput[] = "output of the network";

// Of each buffer that is not a part, whether it or a part of it is read.
std::vector<bool> ReadRoots(const StageGraph& graph) {
  std::vector<bool> is_read(graph.buffers.size());
  for (const Work& work : graph.work) {
    for (const int input : work.inputs) is_read[graph.Root(input)] = true;
  }
  return is_read;
}

void MarkOutput(Buffer& buffer) {
  buffer.is_border = true;
  if (buffer.reason.empty()) buffer.reason = kOutput;
}

void AddFlush(int layer, int from, GraphBuilder& builder) {
  const int out = builder.AddLike(from);
  MarkOutput(builder.buffer(out));
  Work copy = builder.CopyOf(
      builder.buffer(from).layer,
      absl::StrCat(builder.layer(layer).name, "@flush-output"), from, out);
  copy.reason = "an engine's output that leaves the network";
  builder.AddWork(std::move(copy));
}

}  // namespace

void FlushOutputs(GraphBuilder& builder) {
  std::vector<bool> is_read = ReadRoots(builder.graph());
  for (size_t i = 0; i < builder.network().size(); ++i) {
    const int index = static_cast<int>(i);
    if (builder.output(index) == kNone) continue;
    const Layer& layer = builder.layer(index);
    const bool leaves = layer.host_bytes > 0 && layer.kind != LayerKind::kInput;
    const int root = builder.graph().Root(builder.output(index));
    if (!leaves && is_read[root]) continue;
    Buffer& buffer = builder.buffer(root);
    if (buffer.is_border) continue;
    if (buffer.place == Place::kDdr) {
      MarkOutput(buffer);
      continue;
    }
    is_read[root] = true;
    AddFlush(index, root, builder);
  }
}

}  // namespace dovetail::vpu
