#include "dovetail/backends/vpu/schedule/build_graph.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/plane_tiles.h"
#include "dovetail/backends/vpu/compiler/tiling.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::vpu {
namespace {

constexpr char kMisaligned[] = "a tile that begins between groups of 8 pixels";

struct Extents {
  int64_t planes, rows, width;
};

Extents OutputOf(const Layer& layer) {
  return {layer.repeats * layer.shape.out_channels, layer.shape.out_height,
          layer.shape.out_width};
}
Extents OutputOf(const ConvShape& tile) {
  return {tile.out_channels, tile.out_height, tile.out_width};
}

int64_t Macs(const ConvShape& tile, int64_t in_channels) {
  return tile.out_width * tile.out_height * tile.out_channels * in_channels *
         tile.kernel_x * tile.kernel_y;
}

// Kernels that apply a function to each element take two SHAVEs at most.
bool IsPostOperation(const std::string& type) {
  static constexpr absl::string_view kTypes[] = {
      "Relu", "ReLU", "PRelu", "Clamp", "Elu", "Sigmoid", "Tanh", "HSwish"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) !=
         std::end(kTypes);
}

bool NeedsOneShave(const std::string& type) {
  static constexpr absl::string_view kTypes[] = {"Softmax", "SoftMax",
                                                 "Permute"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) !=
         std::end(kTypes);
}

std::string ModeReason(const Machine& machine, const ConvShape& tile) {
  const absl::StatusOr<HwMode> mode = ChooseMode(machine, tile);
  if (!mode.ok()) return "";
  return absl::StrCat(
      "mode ", mode->in_block, "_",
      static_cast<int64_t>(machine.macs_per_cycle) / mode->in_block, ", ",
      mode->descriptors, " descriptors of ", mode->steps, " steps");
}

class Builder {
 public:
  Builder(const Machine& machine, const Network& network)
      : machine_(machine), network_(network), outputs_(network.size(), kNone) {}

  StageGraph Build() && {
    for (size_t i = 0; i < network_.size(); ++i) AddLayer(static_cast<int>(i));
    FlushOutputs();
    return std::move(graph_);
  }

 private:
  int AddBuffer(int layer, const Extents& extents, Place place = Place::kDdr) {
    Buffer buffer;
    buffer.layer = layer;
    buffer.bytes =
        RoundUp(RowBytes(extents.width) * extents.rows * extents.planes, 64);
    buffer.planes = extents.planes;
    buffer.rows = extents.rows;
    buffer.width = extents.width;
    buffer.place = place;
    graph_.buffers.push_back(std::move(buffer));
    return static_cast<int>(graph_.buffers.size()) - 1;
  }

  int AddLike(int other) {
    const Buffer& buffer = graph_.buffers[other];
    return AddBuffer(buffer.layer, {buffer.planes, buffer.rows, buffer.width});
  }

  int AddWork(Work work) {
    graph_.work.push_back(std::move(work));
    const int index = static_cast<int>(graph_.work.size()) - 1;
    graph_.order.push_back(index);
    return index;
  }

  std::vector<int> InputsOf(const Layer& layer) const {
    std::vector<int> inputs;
    for (const int input : layer.inputs) {
      if (outputs_[input] != kNone) inputs.push_back(outputs_[input]);
    }
    return inputs;
  }

  Work WorkOf(int index, Lane lane) const {
    const Layer& layer = network_[index];
    Work work;
    work.lane = lane;
    work.layer = index;
    work.name = layer.name;
    work.reason = layer.reason;
    work.kind = layer.kind;
    work.inputs = InputsOf(layer);
    work.elements = layer.elements;
    work.macs = layer.macs;
    return work;
  }

  void AddLayer(int index) {
    const Layer& layer = network_[index];
    switch (layer.kind) {
      case LayerKind::kView:
        AddView(index);
        return;
      case LayerKind::kConcat:
        AddConcat(index);
        return;
      case LayerKind::kConvolution:
      case LayerKind::kPool:
        AddEngineLayer(index);
        return;
      default:
        AddSimple(index);
    }
  }

  void AddView(int index) {
    const std::vector<int> inputs = InputsOf(network_[index]);
    if (!inputs.empty()) outputs_[index] = inputs.front();
  }

  void AddSimple(int index) {
    const Layer& layer = network_[index];
    Work work = WorkOf(index, Lane::kShave);
    work.output = outputs_[index] = AddBuffer(index, OutputOf(layer));
    work.need = NeedsOneShave(layer.type)     ? ShaveNeed::kOne
                : IsPostOperation(layer.type) ? ShaveNeed::kTwo
                                              : ShaveNeed::kAll;
    if (layer.kind == LayerKind::kInput) {
      graph_.buffers[work.output].is_border = true;
      graph_.buffers[work.output].reason = "input of the network";
    }
    if (layer.kind == LayerKind::kCopy) {
      work.lane = Lane::kDma;
      work.need = ShaveNeed::kNone;
      SetCopied(work.output, work);
    }
    AddWork(std::move(work));
  }

  // A copy of all of a buffer.
  void SetCopied(int buffer, Work& copy) const {
    copy.planes = graph_.buffers[buffer].planes;
    copy.rows = graph_.buffers[buffer].rows;
    copy.width = graph_.buffers[buffer].width;
    copy.elements = copy.planes * copy.rows * copy.width;
  }

  // The engine's work that writes all of the buffer, kNone where there is none.
  int EngineWriter(int buffer) const {
    for (const int i : graph_.order) {
      if (graph_.work[i].output != buffer) continue;
      return graph_.work[i].lane == Lane::kNce ? i : kNone;
    }
    return kNone;
  }

  void AddConcat(int index) {
    const Layer& layer = network_[index];
    const int whole = outputs_[index] = AddBuffer(index, OutputOf(layer));
    for (const int input : layer.inputs) {
      const int part = outputs_[input];
      if (part == kNone) continue;
      const bool is_engines = EngineWriter(part) != kNone;
      const bool is_taken = graph_.buffers[part].parent != kNone ||
                            graph_.buffers[part].is_border;
      if (!is_engines && !is_taken) {
        graph_.buffers[part].parent = whole;
        continue;
      }
      Work copy = CopyOf(index, absl::StrCat(layer.name, "@copy-for-concat"),
                         part, whole);
      copy.is_optional = is_engines && !is_taken;
      copy.reason = is_taken ? "an input that is a part of something else"
                             : "an engine's output, to its place";
      AddWork(std::move(copy));
    }
  }

  // Of `from` into a new part of `whole`.
  Work CopyOf(int layer, std::string name, int from, int whole) {
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

  // Output channels beyond what an engine takes are convolutions of their own.
  void AddEngineLayer(int index) {
    const Layer& layer = network_[index];
    const int whole = outputs_[index] = AddBuffer(index, OutputOf(layer));
    ConvShape shape = layer.shape;
    const std::vector<int> inputs = PreparedInputs(index, shape);
    for (int64_t begin = 0; begin < layer.shape.out_channels;
         begin += kMostChannels) {
      ConvShape part = shape;
      part.out_channels = std::min(kMostChannels, part.out_channels - begin);
      std::string name = layer.name;
      if (part.out_channels < layer.shape.out_channels) {
        absl::StrAppend(&name, "@sok=", begin);
      }
      AddEngineShape(index, part, name, inputs, whole);
    }
  }

  // What an engine takes: its rows are whole lines, which those of the
  // network's inputs are not, and padding is what it can add.
  std::vector<int> PreparedInputs(int index, ConvShape& shape) {
    const Layer& layer = network_[index];
    std::vector<int> inputs = InputsOf(layer);
    if (inputs.empty()) return inputs;
    const PlaneAxis rows = RowsOf(shape), columns = ColumnsOf(shape);
    const bool is_pool = layer.kind == LayerKind::kPool;
    const bool is_padded =
        is_pool ? PadsPool(rows) && PadsPool(columns)
                : PadsConvolution(rows) && PadsConvolution(columns);
    const int64_t row_bytes = 2 * shape.in_width;
    if (!is_padded) {
      inputs.front() = AddPadding(index, rows, columns, inputs.front(), shape);
    } else if (graph_.buffers[inputs.front()].is_border &&
               RowBytes(shape.in_width) != row_bytes) {
      const int aligned = AddLike(inputs.front());
      AddAligningCopy(index, absl::StrCat(layer.name, "@align-input"),
                      inputs.front(), aligned,
                      "rows of the network's input are not whole lines");
      graph_.buffers[aligned].is_pinned = true;
      inputs.front() = aligned;
    }
    return inputs;
  }

  int AddPadding(int index, const PlaneAxis& rows, const PlaneAxis& columns,
                 int input, ConvShape& shape) {
    const Layer& layer = network_[index];
    shape.in_height += rows.before + rows.after;
    shape.in_width += columns.before + columns.after;
    shape.pad_x = shape.pad_y = 0;
    Work pad;
    pad.lane = Lane::kShave;
    pad.layer = index;
    pad.name = absl::StrCat(layer.name, "@padding");
    pad.kind = LayerKind::kUnary;
    pad.need = ShaveNeed::kAll;
    pad.inputs = {input};
    const Extents padded = {graph_.buffers[input].planes, shape.in_height,
                            shape.in_width};
    const int output = pad.output =
        AddBuffer(graph_.buffers[input].layer, padded);
    pad.elements = padded.planes * padded.rows * padded.width;
    pad.reason = absl::StrCat("padding of ", rows.before, " and ", rows.after,
                              " rows, ", columns.before, " and ", columns.after,
                              " columns, which engines do not add");
    AddWork(std::move(pad));
    return output;
  }

  void AddEngineShape(int index, const ConvShape& shape,
                      const std::string& name, const std::vector<int>& inputs,
                      int whole) {
    const Layer& layer = network_[index];
    const bool is_pool = layer.kind == LayerKind::kPool;
    const absl::StatusOr<Tiling> tiling =
        is_pool ? SearchPoolTiling(machine_, shape)
                : SearchTiling(machine_, shape);
    if (!tiling.ok()) {
      AddShaveShape(index, shape, name, tiling.status().message(), whole);
      return;
    }
    const bool is_cut =
        tiling->spatial() > 1 ||
        static_cast<double>(OutputBytes(layer)) > machine_.tiling_limit_bytes;
    if (!is_cut && tiling->channels == 1) {
      graph_.buffers[whole].place = Place::kCmx;
    } else if (is_cut) {
      graph_.buffers[whole].reason = absl::StrCat(
          "tiles of ", OutputBytes(layer), " bytes are copied to it");
    }
    for (size_t y = 0; y < tiling->rows.size(); ++y) {
      for (size_t x = 0; x < tiling->columns.size(); ++x) {
        AddTile(index, shape, *tiling, y, x, name, inputs, whole, is_cut);
      }
    }
  }

  // What no engine takes is multiplied by SHAVEs.
  void AddShaveShape(int index, const ConvShape& shape, const std::string& name,
                     absl::string_view why, int whole) {
    Work work = WorkOf(index, Lane::kShave);
    work.name = name;
    work.kind = LayerKind::kProducts;
    work.need = ShaveNeed::kAll;
    work.output = whole;
    work.macs = network_[index].repeats * Macs(shape, shape.in_channels);
    work.reason = absl::StrCat("no tile fits an engine: ", why);
    AddWork(std::move(work));
  }

  static std::string Suffix(absl::string_view axis, int64_t i, int64_t count) {
    return count > 1 ? absl::StrCat(axis, i + 1, "/", count) : "";
  }

  Work EngineWork(int index, const ConvShape& tile, const Tiling& tiling,
                  std::string name, const std::vector<int>& inputs) const {
    const Layer& layer = network_[index];
    const bool is_pool = layer.kind == LayerKind::kPool;
    Work work = WorkOf(index, Lane::kNce);
    work.name = std::move(name);
    work.inputs = inputs;
    work.tile = tile;
    work.repeats = layer.repeats;
    work.is_part = tiling.spatial() > 1;
    work.reads_part = tiling.count() > 1;
    work.is_by_row = tiling.columns.size() > 1;
    work.is_average = layer.type == "AvgPool";
    work.reason = is_pool ? "mode 16_16, descriptors of 16 channels"
                          : ModeReason(machine_, tile);
    if (tiling.count() > 1) {
      absl::StrAppend(&work.reason, "; ", tiling.channels, "x",
                      tiling.rows.size(), "x", tiling.columns.size(),
                      " tiles (channels, rows, columns): ", tiling.reason);
    }
    if (!layer.reason.empty()) {
      absl::StrAppend(&work.reason, "; ", layer.reason);
    }
    return work;
  }

  // All tiles of channels of one part of the plane, their sums and the copy of
  // the result to its place.
  void AddTile(int index, const ConvShape& shape, const Tiling& tiling,
               size_t y, size_t x, const std::string& name,
               const std::vector<int>& inputs, int whole, bool is_cut) {
    const ConvShape tile = tiling.TileAt(shape, y, x);
    const std::string place = absl::StrCat(
        name, Suffix("@soh=", static_cast<int64_t>(y), tiling.rows.size()),
        Suffix("@sow=", static_cast<int64_t>(x), tiling.columns.size()));
    const std::vector<int> aligned =
        tiling.columns[x].in_begin % 8 == 0
            ? inputs
            : AlignedInputs(index, tile, place, inputs);
    const bool sums = tiling.channels > 1;
    int result = whole;
    if (is_cut) {
      result =
          AddBuffer(index, OutputOf(tile), sums ? Place::kDdr : Place::kCmx);
      if (sums) graph_.buffers[result].parent = whole;
    }
    if (sums) {
      AddPartialSums(index, tile, shape, tiling, place, aligned, result);
      return;
    }
    Work work = EngineWork(index, tile, tiling, place, aligned);
    work.macs = network_[index].kind == LayerKind::kPool
                    ? 0
                    : work.repeats * Macs(tile, tile.in_channels);
    work.output = result;
    AddWork(std::move(work));
    if (is_cut) AddTileCopy(index, tiling, y, x, place, result, whole);
  }

  // The copy is spared where the engine may write the whole itself: not where
  // it computes junk besides, nor between groups of 8 pixels.
  void AddTileCopy(int index, const Tiling& tiling, size_t y, size_t x,
                   const std::string& place, int from, int whole) {
    if (tiling.columns[x].out_begin % 8 != 0) {
      const int moved = AddLike(from);
      AddAligningCopy(index, absl::StrCat(place, "@align-output-ptr"), from,
                      moved, kMisaligned);
      from = moved;
    }
    Work copy = CopyOf(index, absl::StrCat(place, "@copy"), from, whole);
    copy.repeats = network_[index].repeats;
    copy.is_by_row = tiling.columns.size() > 1;
    copy.reason = "one of several tiles of an output";
    copy.is_optional = copy.repeats == 1 &&
                       tiling.columns[x].out_begin % 8 == 0 &&
                       tiling.rows[y].computed == tiling.rows[y].output() &&
                       tiling.columns[x].computed == tiling.columns[x].output();
    AddWork(std::move(copy));
  }

  // Engines read and write from 8 pixels on or from a multiple of them: what
  // begins elsewhere is copied.
  std::vector<int> AlignedInputs(int index, const ConvShape& tile,
                                 const std::string& place,
                                 const std::vector<int>& inputs) {
    std::vector<int> aligned;
    for (const int input : inputs) {
      const int buffer =
          AddBuffer(index, {tile.in_channels, tile.in_height, tile.in_width});
      AddAligningCopy(index, absl::StrCat(place, "@align-input-ptr"), input,
                      buffer, kMisaligned);
      aligned.push_back(buffer);
    }
    return aligned;
  }

  void AddAligningCopy(int index, std::string name, int from, int to,
                       std::string reason) {
    Work copy;
    copy.lane = Lane::kDma;
    copy.layer = index;
    copy.kind = LayerKind::kCopy;
    copy.name = std::move(name);
    copy.inputs = {from};
    copy.output = to;
    copy.repeats = network_[index].repeats;
    copy.is_by_row = true;
    SetCopied(to, copy);
    copy.reason = std::move(reason);
    AddWork(std::move(copy));
  }

  // Engines write partial results, which SHAVEs add up; the activation comes
  // last, for itself.
  void AddPartialSums(int index, const ConvShape& tile, const ConvShape& shape,
                      const Tiling& tiling, const std::string& place,
                      const std::vector<int>& inputs, int result) {
    const bool activates = network_[index].activation != 0;
    int sum = kNone;
    for (int64_t c = 0; c < tiling.channels; ++c) {
      Work work = EngineWork(
          index, tile, tiling,
          absl::StrCat(place, Suffix("@soc=", c, tiling.channels)), inputs);
      const int64_t channels = std::min(
          tiling.tile_channels, shape.in_channels - c * tiling.tile_channels);
      work.macs = work.repeats * Macs(tile, channels);
      const int partial = work.output =
          AddBuffer(index, OutputOf(tile), Place::kCmx);
      AddWork(std::move(work));
      if (sum == kNone) {
        sum = partial;
        continue;
      }
      const bool is_last = c + 1 == tiling.channels && !activates;
      const int next = is_last ? result : AddBuffer(index, OutputOf(tile));
      AddShavePart(index, tile, absl::StrCat(place, "@accum=", c),
                   LayerKind::kBinary, {sum, partial}, next);
      sum = next;
    }
    if (activates) {
      AddShavePart(index, tile, absl::StrCat(place, "@ReLU"), LayerKind::kUnary,
                   {sum}, result);
    }
  }

  void AddShavePart(int index, const ConvShape& tile, std::string name,
                    LayerKind kind, std::vector<int> inputs, int output) {
    Work work;
    work.lane = Lane::kShave;
    work.layer = index;
    work.name = std::move(name);
    work.kind = kind;
    work.need = kind == LayerKind::kUnary ? ShaveNeed::kTwo : ShaveNeed::kAll;
    work.inputs = std::move(inputs);
    work.output = output;
    work.repeats = network_[index].repeats;
    work.elements = tile.out_channels * tile.out_height * tile.out_width;
    work.reason = kind == LayerKind::kUnary
                      ? "the activation of sums"
                      : "sums of input channels cut into tiles";
    AddWork(std::move(work));
  }

  // What nobody reads, or the host does, leaves by way of DDR.
  void FlushOutputs() {
    std::vector<bool> is_read(graph_.buffers.size());
    for (const Work& work : graph_.work) {
      for (const int input : work.inputs) is_read[graph_.Root(input)] = true;
    }
    const size_t count = network_.size();
    for (size_t i = 0; i < count; ++i) {
      const bool leaves =
          network_[i].host_bytes > 0 && network_[i].kind != LayerKind::kInput;
      if (outputs_[i] == kNone) continue;
      const int root = graph_.Root(outputs_[i]);
      if (!leaves && is_read[root]) continue;
      if (graph_.buffers[root].is_border) continue;
      if (graph_.buffers[root].place == Place::kDdr) {
        graph_.buffers[root].is_border = true;
        if (graph_.buffers[root].reason.empty()) {
          graph_.buffers[root].reason = "output of the network";
        }
        continue;
      }
      is_read[root] = true;
      AddFlush(static_cast<int>(i), root);
    }
  }

  void AddFlush(int index, int from) {
    const int out = AddLike(from);
    graph_.buffers[out].is_border = true;
    graph_.buffers[out].reason = "output of the network";
    Work copy =
        CopyOf(graph_.buffers[from].layer,
               absl::StrCat(network_[index].name, "@flush-output"), from, out);
    copy.reason = "an engine's output that leaves the network";
    AddWork(std::move(copy));
  }

  const Machine& machine_;
  const Network& network_;
  StageGraph graph_;
  std::vector<int> outputs_;  // the buffer of each layer
};

}  // namespace

StageGraph BuildGraph(const Machine& machine, const Network& network) {
  return Builder(machine, network).Build();
}

}  // namespace dovetail::vpu
