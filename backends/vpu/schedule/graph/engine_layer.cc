#include "dovetail/backends/vpu/schedule/graph/engine_layer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/compiler/tiling/tiling.h"
#include "dovetail/backends/vpu/schedule/graph/concatenation.h"
#include "dovetail/backends/vpu/schedule/graph/engine_tile.h"
#include "dovetail/backends/vpu/schedule/graph/engine_work.h"
#include "dovetail/backends/vpu/schedule/graph/partial_sums.h"
#include "dovetail/backends/vpu/schedule/graph/pooled_convolution.h"
#include "dovetail/backends/vpu/schedule/graph/prepared_inputs.h"

namespace dovetail::vpu {
namespace {

void AddShaveShape(const EngineShape& engine, absl::string_view why,
                   GraphBuilder& builder) {
  Work work = builder.WorkOf(engine.layer, Lane::kShave);
  work.name = engine.name;
  work.kind = LayerKind::kProducts;
  work.need = ShaveNeed::kAll;
  work.output = engine.whole;
  work.macs = builder.layer(engine.layer).repeats *
              Macs(engine.shape, engine.shape.in_channels);
  work.reason = absl::StrCat("no tile fits an engine: ", why);
  builder.AddWork(std::move(work));
}

void AddTiles(const EngineShape& engine, const Tiling& tiling,
              GraphBuilder& builder) {
  const int64_t bytes = builder.buffer(engine.whole).bytes;
  const bool is_cut =
      tiling.spatial() > 1 ||
      static_cast<double>(bytes) > builder.machine().tiling_limit_bytes;
  if (!is_cut && tiling.channels == 1) {
    builder.buffer(engine.whole).place = Place::kCmx;
  } else if (is_cut) {
    builder.buffer(engine.whole).reason =
        absl::StrCat("tiles of ", bytes, " bytes are copied to it");
  }
  for (size_t y = 0; y < tiling.rows.size(); ++y) {
    for (size_t x = 0; x < tiling.columns.size(); ++x) {
      AddEngineTile(engine, tiling, y, x, is_cut, builder);
    }
  }
}

void AddEngineShape(const EngineShape& engine, GraphBuilder& builder) {
  const bool is_pool = builder.layer(engine.layer).kind == LayerKind::kPool;
  const auto search = is_pool                ? &SearchPoolTiling
                      : engine.shape.pools ? &SearchPooledTiling
                                             : &SearchTiling;
  const absl::StatusOr<Tiling> tiling = search(builder.machine(), engine.shape);
  if (!tiling.ok()) {
    AddShaveShape(engine, tiling.status().message(), builder);
    return;
  }
  EngineShape expanded = engine;
  if (!is_pool) {
    expanded.inputs = ExpandInputs(engine.layer, engine.inputs, engine.shape,
                                   tiling->TileAt(engine.shape, 0, 0), builder);
  }
  AddTiles(expanded, *tiling, builder);
}

// Output channels beyond what an engine takes are convolutions of their own.
void AddShapes(const EngineShape& all, GraphBuilder& builder) {
  for (int64_t begin = 0; begin < all.shape.out_channels;
       begin += kMostChannels) {
    EngineShape part = all;
    part.shape.out_channels =
        std::min(kMostChannels, all.shape.out_channels - begin);
    if (part.shape.out_channels < all.shape.out_channels) {
      absl::StrAppend(&part.name, "@sok=", begin);
    }
    AddEngineShape(part, builder);
  }
}

// A row of 16 taps as two of 8, over planes of which the other 8 columns are
// cut off.
void AddHalves(const EngineShape& whole, GraphBuilder& builder) {
  EngineShape half = whole;
  half.shape.kernel_x /= 2;
  half.shape.in_width -= half.shape.kernel_x;
  std::vector<int> parts;
  for (const int i : {1, 2}) {
    half.name = absl::StrCat(whole.name, "@subkernel=", i, "/2");
    half.whole =
        builder.AddBuffer(whole.layer, OutputOf(builder.layer(whole.layer)));
    parts.push_back(half.whole);
    AddShapes(half, builder);
  }
  AddSum(whole.layer, whole.shape, whole.name, std::move(parts), whole.whole,
         builder);
}

// Pools each of the inputs, which are channels of the whole, and concatenates
// what comes of it for layer `joint`.
void AddPooledParts(int layer, const std::vector<int>& inputs, int joint,
                    GraphBuilder& builder) {
  const Layer& of = builder.layer(layer);
  const int64_t count = static_cast<int64_t>(inputs.size());
  std::vector<int> parts;
  for (int64_t i = 0; i < count; ++i) {
    ConvShape shape = of.shape;
    shape.in_channels = shape.out_channels = builder.buffer(inputs[i]).planes;
    const int part = builder.AddBuffer(layer, OutputOf(shape));
    const std::string name =
        absl::StrCat(of.name, TileSuffix("@sub=", i, count));
    const std::vector<int> prepared =
        PrepareInputs(layer, {inputs[i]}, shape, builder);
    AddShapes({layer, shape, name, prepared, part}, builder);
    parts.push_back(part);
  }
  AddParts(joint, parts, builder.AddOutput(layer), builder);
}

// A convolution and the pool behind it as one.
void AddWithPool(const EngineShape& of, int pool, GraphBuilder& builder) {
  EngineShape engine = of;
  engine.shape.pools = true;
  engine.shape.out_width = builder.layer(pool).shape.out_width;
  engine.shape.out_height = builder.layer(pool).shape.out_height;
  engine.whole = builder.AddBuffer(of.layer, OutputOf(engine.shape));
  builder.set_output(pool, engine.whole);
  AddShapes(engine, builder);
}

// Parts of `channels` output channels each, of which a pool reads one after
// another.
void AddChannelParts(const EngineShape& of, int64_t channels,
                     GraphBuilder& builder) {
  std::vector<int> parts;
  const int64_t count = of.shape.out_channels / channels;
  for (int64_t i = 0; i < count; ++i) {
    EngineShape part = of;
    part.shape.out_channels = channels;
    part.name = absl::StrCat(of.name, TileSuffix("@tile=", i, count));
    part.whole = builder.AddBuffer(of.layer, OutputOf(part.shape));
    parts.push_back(part.whole);
    AddShapes(part, builder);
  }
  builder.set_parts(of.layer, std::move(parts));
}

void AddConvolution(int layer, GraphBuilder& builder) {
  const Layer& of = builder.layer(layer);
  EngineShape engine = {layer, of.shape, of.name, {}, kNone};
  engine.inputs =
      PrepareInputs(layer, builder.InputsOf(of), engine.shape, builder);
  const int pool = PoolOf(layer, builder);
  if (pool != kNone) {
    AddWithPool(engine, pool, builder);
    return;
  }
  const int64_t channels = PartChannels(layer, builder);
  if (channels > 0) {
    AddChannelParts(engine, channels, builder);
    return;
  }
  engine.whole = builder.AddOutput(layer);
  if (IsHalved(engine.shape)) {
    AddHalves(engine, builder);
  } else {
    AddShapes(engine, builder);
  }
}

}  // namespace

void AddEngineLayer(int layer, GraphBuilder& builder) {
  if (builder.layer(layer).kind == LayerKind::kConvolution) {
    AddConvolution(layer, builder);
    return;
  }
  if (builder.output(layer) != kNone) return;  // its convolution has it
  const int concat = SwappedConcatenation(layer, builder);
  if (concat != kNone) {
    AddPooledParts(layer, builder.InputsOf(builder.layer(concat)), concat,
                   builder);
    return;
  }
  const Layer& of = builder.layer(layer);
  if (PartChannels(layer, builder) > 0) {
    const int source = builder.SourceOf(of.inputs.front());
    AddPooledParts(layer, builder.parts(source), layer, builder);
    return;
  }
  EngineShape engine = {layer, of.shape, of.name, {}, kNone};
  engine.inputs =
      PrepareInputs(layer, builder.InputsOf(of), engine.shape, builder);
  engine.whole = builder.AddOutput(layer);
  AddShapes(engine, builder);
}

}  // namespace dovetail::vpu
