#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace dovetail::vpu {

namespace {

// Beside kNone.
constexpr int kSeveral = -2;

int64_t BytesOf(const Extents& extents) {
  return RoundUp(RowBytes(extents.width) * extents.rows * extents.planes, 64);
}

bool IsNameOf(const Layer& view, const Layer& of) {
  const ConvShape &a = view.shape, &b = of.shape;
  return view.kind == LayerKind::kView && view.inputs.size() == 1 &&
         view.host_bytes == 0 && a.out_channels == b.out_channels &&
         a.out_height == b.out_height && a.out_width == b.out_width;
}

}  // namespace

Extents OutputOf(const Layer& layer) {
  return {layer.repeats * layer.shape.out_channels, layer.shape.out_height,
          layer.shape.out_width};
}

Extents OutputOf(const ConvShape& tile) {
  return {tile.out_channels, tile.out_height, tile.out_width};
}

GraphBuilder::GraphBuilder(const Machine& machine, const Network& network)
    : machine_(machine),
      network_(network),
      outputs_(network.size(), kNone),
      parts_(network.size()),
      sources_(network.size()),
      only_readers_(network.size(), kNone) {
  for (int i = 0; i < static_cast<int>(network.size()); ++i) {
    const std::vector<int>& inputs = network[i].inputs;
    const bool is_name =
        !inputs.empty() && IsNameOf(network[i], network[inputs.front()]);
    sources_[i] = is_name ? SourceOf(inputs.front()) : i;
    if (is_name) continue;  // reads nothing
    for (const int input : inputs) {
      int& reader = only_readers_[SourceOf(input)];
      reader = reader == kNone ? i : kSeveral;
    }
  }
}

int GraphBuilder::OnlyReader(int layer) const {
  return std::max(only_readers_[SourceOf(layer)], kNone);
}

std::vector<int> GraphBuilder::InputsOf(const Layer& layer) const {
  std::vector<int> inputs;
  for (const int input : layer.inputs) {
    if (outputs_[input] != kNone) inputs.push_back(outputs_[input]);
  }
  return inputs;
}

int GraphBuilder::AddBuffer(int layer, const Extents& extents, Place place) {
  Buffer buffer;
  buffer.layer = layer;
  buffer.bytes = BytesOf(extents);
  buffer.planes = extents.planes;
  buffer.rows = extents.rows;
  buffer.width = extents.width;
  buffer.place = place;
  graph_.buffers.push_back(std::move(buffer));
  return static_cast<int>(graph_.buffers.size()) - 1;
}

int GraphBuilder::AddTileBuffer(int layer, const TileShapes& tile) {
  const int index = AddBuffer(layer, OutputOf(tile.kept), Place::kCmx);
  graph_.buffers[index].bytes = BytesOf(OutputOf(tile.computed));
  return index;
}

int GraphBuilder::AddLike(int other) {
  const Buffer& buffer = graph_.buffers[other];
  return AddBuffer(buffer.layer, {buffer.planes, buffer.rows, buffer.width});
}

int GraphBuilder::AddOutput(int layer) {
  return outputs_[layer] = AddBuffer(layer, OutputOf(network_[layer]));
}

Work GraphBuilder::WorkOf(int layer, Lane lane) const {
  const Layer& of = network_[layer];
  Work work;
  work.lane = lane;
  work.layer = layer;
  work.name = of.name;
  work.reason = of.reason;
  work.kind = of.kind;
  work.inputs = InputsOf(of);
  work.elements = of.elements;
  work.macs = of.macs;
  return work;
}

Work GraphBuilder::CopyOf(int layer, std::string name, int from, int whole) {
  Work copy;
  copy.lane = Lane::kDma;
  copy.layer = layer;
  copy.kind = LayerKind::kCopy;
  copy.name = std::move(name);
  copy.inputs = {from};
  copy.output = AddLike(from);
  graph_.buffers[copy.output].parent = whole;
  SetCopied(from, copy);
  return copy;
}

void GraphBuilder::SetCopied(int buffer, Work& copy) const {
  copy.planes = graph_.buffers[buffer].planes;
  copy.rows = graph_.buffers[buffer].rows;
  copy.width = graph_.buffers[buffer].width;
  copy.elements = copy.planes * copy.rows * copy.width;
}

void GraphBuilder::AddWork(Work work) {
  graph_.order.push_back(static_cast<int>(graph_.work.size()));
  graph_.work.push_back(std::move(work));
}

void GraphBuilder::AddAligningCopy(int layer, std::string name, int from,
                                   int to, std::string reason) {
  Work copy;
  copy.lane = Lane::kDma;
  copy.layer = layer;
  copy.kind = LayerKind::kCopy;
  copy.name = std::move(name);
  copy.inputs = {from};
  copy.output = to;
  copy.repeats = network_[layer].repeats;
  copy.is_by_row = true;
  SetCopied(to, copy);
  copy.reason = std::move(reason);
  AddWork(std::move(copy));
}

StageGraph GraphBuilder::Take() && { return std::move(graph_); }

}  // namespace dovetail::vpu
