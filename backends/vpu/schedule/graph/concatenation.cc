#include "dovetail/backends/vpu/schedule/graph/concatenation.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/tiling/tiling.h"

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

bool IsMaxPool(const Layer& layer) {
  return layer.kind == LayerKind::kPool && layer.type == "MaxPool";
}

// Whether the inputs are channels of the whole plane, and nobody else reads
// them.
bool JoinsChannels(int index, const GraphBuilder& builder) {
  const Layer& concat = builder.layer(index);
  int64_t channels = 0;
  for (const int input : concat.inputs) {
    const int source = builder.SourceOf(input);
    const Layer& part = builder.layer(source);
    if (part.kind == LayerKind::kView || part.kind == LayerKind::kConcat ||
        part.repeats != 1 || part.shape.out_width != concat.shape.out_width ||
        part.shape.out_height != concat.shape.out_height ||
        builder.OnlyReader(source) != index) {
      return false;
    }
    channels += part.shape.out_channels;
  }
  return concat.repeats == 1 && channels == concat.shape.out_channels;
}

}  // namespace

int SwappedConcatenation(int pool, const GraphBuilder& builder) {
  const Layer& layer = builder.layer(pool);
  if (!IsMaxPool(layer) || layer.repeats != 1 || layer.inputs.size() != 1) {
    return kNone;
  }
  const int index = builder.SourceOf(layer.inputs.front());
  const Layer& concat = builder.layer(index);
  if (concat.kind != LayerKind::kConcat || concat.inputs.size() < 2 ||
      builder.OnlyReader(index) != pool || !JoinsChannels(index, builder)) {
    return kNone;
  }
  return SearchPoolTiling(builder.machine(), layer.shape).ok() ? index : kNone;
}

void AddParts(int layer, const std::vector<int>& parts, int whole,
              GraphBuilder& builder) {
  for (const int part : parts) AddPart(layer, part, whole, builder);
}

void AddConcatenation(int layer, GraphBuilder& builder) {
  const int reader = builder.OnlyReader(layer);
  if (reader != kNone && SwappedConcatenation(reader, builder) == layer) return;
  const int whole = builder.AddOutput(layer);
  AddParts(layer, builder.InputsOf(builder.layer(layer)), whole, builder);
}

}  // namespace dovetail::vpu
