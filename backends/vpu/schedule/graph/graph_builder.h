// What all steps of making a graph of stages share: the graph so far, and which
// buffer has each layer's output.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_GRAPH_BUILDER_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_GRAPH_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/vpu/compiler/allocation.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// Of a buffer: channels of all images, rows of each, pixels of a row.
struct Extents {
  int64_t planes, rows, width;
};

Extents OutputOf(const Layer& layer);
Extents OutputOf(const ConvShape& tile);

// A tile of one part of the plane. Its outputs that an engine's padding reaches
// inside the plane are junk, which is computed and cut off (PlaneTile).
struct TileShapes {
  ConvShape computed;  // junk included
  ConvShape kept;      // without junk
};

// Layers are indices into the network, buffers indices into the graph.
class GraphBuilder {
 public:
  // Both must outlive the builder.
  GraphBuilder(const Machine& machine, const Network& network);

  const Machine& machine() const { return machine_; }
  const Network& network() const { return network_; }
  const Layer& layer(int index) const { return network_[index]; }
  const StageGraph& graph() const { return graph_; }
  // Valid until a buffer is added.
  Buffer& buffer(int index) { return graph_.buffers[index]; }

  // The buffer of a layer's output, kNone where it has none.
  int output(int layer) const { return outputs_[layer]; }
  void set_output(int layer, int buffer) { outputs_[layer] = buffer; }
  // The layer whose output a view of the same extents is, as an activation that
  // went into it; `layer` itself where it is no such name.
  int SourceOf(int layer) const { return sources_[layer]; }
  // The one layer that reads another by any of its names, which read nothing
  // themselves; kNone where there are more or none.
  int OnlyReader(int layer) const;
  // The buffers of a layer's output that is in parts of output channels.
  const std::vector<int>& parts(int layer) const { return parts_[layer]; }
  void set_parts(int layer, std::vector<int> parts) {
    parts_[layer] = std::move(parts);
  }
  // The buffers of a layer's inputs, without those that have none.
  std::vector<int> InputsOf(const Layer& layer) const;

  // Returns the new buffer.
  int AddBuffer(int layer, const Extents& extents, Place place = Place::kDdr);
  // What an engine writes of a tile: the extents of what is kept, the bytes of
  // all that is computed.
  int AddTileBuffer(int layer, const TileShapes& tile);
  // A buffer in DDR of another's layer and extents.
  int AddLike(int other);
  // The output of a layer as a buffer in DDR.
  int AddOutput(int layer);

  // Work that does what a layer does, without an output.
  Work WorkOf(int layer, Lane lane) const;
  // A copy of `from` into a new part of `whole`, for AddWork.
  Work CopyOf(int layer, std::string name, int from, int whole);
  // Makes `copy` one of all of a buffer.
  void SetCopied(int buffer, Work& copy) const;

  // Runs last of what was added.
  void AddWork(Work work);
  // A copy to where rows begin at whole lines.
  void AddAligningCopy(int layer, std::string name, int from, int to,
                       std::string reason);

  StageGraph Take() &&;

 private:
  const Machine& machine_;
  const Network& network_;
  StageGraph graph_;
  std::vector<int> outputs_;  // the buffer of each layer
  std::vector<std::vector<int>> parts_;
  std::vector<int> sources_;
  std::vector<int> only_readers_;  // of each layer that is a source
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_GRAPH_BUILDER_H_
