#include "dovetail/backends/vpu/schedule/graph/partial_sums.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

constexpr char kActivation[] = "the activation of sums";

void AddShaveWork(int layer, const ConvShape& tile, std::string name,
                  LayerKind kind, std::vector<int> inputs, int output,
                  std::string reason, GraphBuilder& builder) {
  Work work;
  work.lane = Lane::kShave;
  work.layer = layer;
  work.name = std::move(name);
  work.kind = kind;
  work.need = kind == LayerKind::kUnary ? ShaveNeed::kTwo : ShaveNeed::kAll;
  work.inputs = std::move(inputs);
  work.output = output;
  work.repeats = builder.layer(layer).repeats;
  work.elements = tile.out_channels * tile.out_height * tile.out_width;
  work.reason = std::move(reason);
  builder.AddWork(std::move(work));
}

// What an engine makes of the input channels of tile `c`: its buffer.
int AddPartial(const EngineShape& engine, const Tiling& tiling,
               const TileShapes& tile, const std::string& place,
               const std::vector<int>& inputs, int64_t c,
               GraphBuilder& builder) {
  Work work =
      EngineWork(engine, tiling, tile.computed,
                 absl::StrCat(place, TileSuffix("@soc=", c, tiling.channels)),
                 inputs, builder);
  const int64_t channels =
      std::min(tiling.tile_channels,
               engine.shape.in_channels - c * tiling.tile_channels);
  work.macs = work.repeats * Macs(tile.kept, channels);
  const int partial = work.output = builder.AddTileBuffer(engine.layer, tile);
  builder.AddWork(std::move(work));
  return partial;
}

}  // namespace

void AddPartialSums(const EngineShape& engine, const Tiling& tiling,
                    const TileShapes& tile, const std::string& place,
                    const std::vector<int>& inputs, int result,
                    GraphBuilder& builder) {
  const int layer = engine.layer;
  const bool activates = builder.layer(layer).activation != 0;
  int sum = AddPartial(engine, tiling, tile, place, inputs, 0, builder);
  for (int64_t c = 1; c < tiling.channels; ++c) {
    const int partial =
        AddPartial(engine, tiling, tile, place, inputs, c, builder);
    const bool is_last = c + 1 == tiling.channels && !activates;
    const int next =
        is_last ? result : builder.AddBuffer(layer, OutputOf(tile.kept));
    AddShaveWork(layer, tile.kept, absl::StrCat(place, "@accum=", c),
                 LayerKind::kBinary, {sum, partial}, next,
                 "sums of input channels cut into tiles", builder);
    sum = next;
  }
  if (activates) {
    AddShaveWork(layer, tile.kept, absl::StrCat(place, "@ReLU"),
                 LayerKind::kUnary, {sum}, result, kActivation, builder);
  }
}

void AddSum(int layer, const ConvShape& tile, const std::string& place,
            std::vector<int> parts, int result, GraphBuilder& builder) {
  const bool activates = builder.layer(layer).activation != 0;
  const int sum = activates ? builder.AddBuffer(layer, OutputOf(tile)) : result;
  AddShaveWork(layer, tile, absl::StrCat(place, "@sum"), LayerKind::kBinary,
               std::move(parts), sum, "the sum of the halves of a kernel",
               builder);
  if (!activates) return;
  AddShaveWork(layer, tile, absl::StrCat(place, "@ReLU"), LayerKind::kUnary,
               {sum}, result, kActivation, builder);
}

}  // namespace dovetail::vpu
