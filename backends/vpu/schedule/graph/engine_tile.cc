#include "dovetail/backends/vpu/schedule/graph/engine_tile.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/schedule/graph/partial_sums.h"

namespace dovetail::vpu {
namespace {

constexpr char kMisaligned[] = "a tile that begins between groups of 8 pixels";

std::string NameOf(const EngineShape& engine, const Tiling& tiling, size_t y,
                   size_t x) {
  return absl::StrCat(
      engine.name,
      TileSuffix("@soh=", static_cast<int64_t>(y), tiling.rows.size()),
      TileSuffix("@sow=", static_cast<int64_t>(x), tiling.columns.size()));
}

// Engines read and write from 8 pixels on or from a multiple of them: what
// begins elsewhere is copied.
std::vector<int> AlignedInputs(const EngineShape& engine, const ConvShape& tile,
                               const std::string& name, GraphBuilder& builder) {
  std::vector<int> aligned;
  for (const int input : engine.inputs) {
    const int buffer = builder.AddBuffer(
        engine.layer, {tile.in_channels, tile.in_height, tile.in_width});
    builder.AddAligningCopy(engine.layer,
                            absl::StrCat(name, "@align-input-ptr"), input,
                            buffer, kMisaligned);
    aligned.push_back(buffer);
  }
  return aligned;
}

// The copy is spared where the engine may write the whole itself: not where
// it computes junk besides, nor between groups of 8 pixels.
void AddTileCopy(const EngineShape& engine, const PlaneTile& row,
                 const PlaneTile& column, bool is_by_row,
                 const std::string& name, int from, GraphBuilder& builder) {
  const bool is_aligned = column.out_begin % 8 == 0;
  if (!is_aligned) {
    const int moved = builder.AddLike(from);
    builder.AddAligningCopy(engine.layer,
                            absl::StrCat(name, "@align-output-ptr"), from,
                            moved, kMisaligned);
    from = moved;
  }
  Work copy = builder.CopyOf(engine.layer, absl::StrCat(name, "@copy"), from,
                             engine.whole);
  copy.repeats = builder.layer(engine.layer).repeats;
  copy.is_by_row = is_by_row;
  copy.reason = "one of several tiles of an output";
  copy.is_optional = copy.repeats == 1 && is_aligned &&
                     row.computed == row.output() &&
                     column.computed == column.output();
  builder.AddWork(std::move(copy));
}

// The buffer of a tile's result: sums are a part of the whole, what engines
// write is in CMX.
int AddResult(const EngineShape& engine, const TileShapes& tile, bool sums,
              GraphBuilder& builder) {
  if (!sums) return builder.AddTileBuffer(engine.layer, tile);
  const int result = builder.AddBuffer(engine.layer, OutputOf(tile.kept));
  builder.buffer(result).parent = engine.whole;
  return result;
}

void AddEngineWork(const EngineShape& engine, const Tiling& tiling,
                   const TileShapes& tile, const std::string& name,
                   const std::vector<int>& inputs, int result,
                   GraphBuilder& builder) {
  Work work = EngineWork(engine, tiling, tile.computed, name, inputs, builder);
  work.macs = builder.layer(engine.layer).kind == LayerKind::kPool
                  ? 0
                  : work.repeats * Macs(tile.kept, tile.kept.in_channels);
  work.output = result;
  builder.AddWork(std::move(work));
}

}  // namespace

void AddEngineTile(const EngineShape& engine, const Tiling& tiling, size_t y,
                   size_t x, bool is_cut, GraphBuilder& builder) {
  const PlaneTile &row = tiling.rows[y], &column = tiling.columns[x];
  const TileShapes tile = {tiling.TileAt(engine.shape, y, x),
                           tiling.KeptAt(engine.shape, y, x)};
  const std::string name = NameOf(engine, tiling, y, x);
  const std::vector<int> inputs =
      column.in_begin % 8 == 0
          ? engine.inputs
          : AlignedInputs(engine, tile.computed, name, builder);
  const bool sums = tiling.channels > 1;
  const int result =
      is_cut ? AddResult(engine, tile, sums, builder) : engine.whole;
  if (sums) {
    AddPartialSums(engine, tiling, tile, name, inputs, result, builder);
    return;
  }
  AddEngineWork(engine, tiling, tile, name, inputs, result, builder);
  if (!is_cut) return;
  AddTileCopy(engine, row, column, tiling.columns.size() > 1, name, result,
              builder);
}

}  // namespace dovetail::vpu
