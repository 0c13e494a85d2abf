#include "dovetail/backends/vpu/schedule/graph/engine_layer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/hw_mode.h"
#include "dovetail/backends/vpu/compiler/tiling.h"
#include "dovetail/backends/vpu/schedule/graph/engine_tile.h"
#include "dovetail/backends/vpu/schedule/graph/engine_work.h"
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
  const int64_t bytes = OutputBytes(builder.layer(engine.layer));
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
  const absl::StatusOr<Tiling> tiling =
      is_pool ? SearchPoolTiling(builder.machine(), engine.shape)
              : SearchTiling(builder.machine(), engine.shape);
  if (tiling.ok()) {
    AddTiles(engine, *tiling, builder);
  } else {
    AddShaveShape(engine, tiling.status().message(), builder);
  }
}

}  // namespace

void AddEngineLayer(int layer, GraphBuilder& builder) {
  const Layer& of = builder.layer(layer);
  const int whole = builder.AddOutput(layer);
  ConvShape shape = of.shape;
  const std::vector<int> inputs = PrepareInputs(layer, shape, builder);
  for (int64_t begin = 0; begin < of.shape.out_channels;
       begin += kMostChannels) {
    EngineShape part = {layer, shape, of.name, inputs, whole};
    part.shape.out_channels =
        std::min(kMostChannels, shape.out_channels - begin);
    if (part.shape.out_channels < of.shape.out_channels) {
      absl::StrAppend(&part.name, "@sok=", begin);
    }
    AddEngineShape(part, builder);
  }
}

}  // namespace dovetail::vpu
