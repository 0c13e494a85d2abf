#include "dovetail/backends/vpu/compiler/tiling.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

constexpr int64_t kMostTiles = 15;
// A narrower tile wastes what an engine reads at once; one of a single row
// cannot read the next row while it computes.
constexpr int64_t kLeastWidth = 64, kLeastHeight = 2;

ConvShape TileOf(const ConvShape& shape, const Tiling& tiling) {
  ConvShape tile = shape;
  tile.in_channels = CeilDivide(shape.in_channels, tiling.channels);
  if (tiling.channels > 1) tile.in_channels = RoundUp(tile.in_channels, 16);
  tile.out_width = CeilDivide(shape.out_width, tiling.columns);
  tile.out_height = CeilDivide(shape.out_height, tiling.rows);
  const auto input = [&](int64_t output, int64_t kernel, int64_t whole) {
    return std::min(whole, (output - 1) * shape.stride + kernel);
  };
  tile.in_width = input(tile.out_width, shape.kernel_x, shape.in_width);
  tile.in_height = input(tile.out_height, shape.kernel_y, shape.in_height);
  return tile;
}

// Whether as many tiles of this extent are needed, none of them empty.
bool IsExact(const ConvShape& shape, const Tiling& tiling) {
  const ConvShape& tile = tiling.tile;
  return CeilDivide(shape.in_channels, tile.in_channels) == tiling.channels &&
         CeilDivide(shape.out_width, tile.out_width) == tiling.columns &&
         CeilDivide(shape.out_height, tile.out_height) == tiling.rows &&
         (tiling.columns == 1 || tile.out_width >= kLeastWidth) &&
         (tiling.rows == 1 || tile.out_height >= kLeastHeight);
}

absl::Status Fit(const Machine& machine, Tiling& tiling) {
  const ConvShape& tile = tiling.tile;
  const int64_t bytes =
      RowBytes(tile.out_width) * tile.out_height * tile.out_channels;
  if (bytes > machine.tiling_limit_bytes) {
    return Unimplemented("the output takes ", bytes, " bytes of CMX, of ",
                         machine.tiling_limit_bytes);
  }
  DOVETAIL_ASSIGN_OR_RETURN(tiling.mode, ChooseMode(machine, tile));
  return absl::OkStatus();
}

// What the search compares: cycles of the engine, whole tiles more for columns
// that begin between groups of 8 pixels, sums of partial outputs, and weights
// that every tile has to read again because CMX cannot keep them.
int64_t Cost(const Machine& machine, const ConvShape& shape,
             const Tiling& tiling) {
  const int64_t pixels = tiling.tile.out_width * tiling.tile.out_height;
  int64_t cost =
      tiling.mode.cost() * tiling.channels * pixels * tiling.spatial();
  for (int64_t x = 1; x < tiling.columns; ++x) {
    const int64_t begin = x * tiling.tile.out_width;
    if (begin % 8 != 0) cost += pixels * tiling.rows;
  }
  cost += (tiling.channels - 1) * shape.out_width * shape.out_height *
          shape.out_channels;
  const int64_t weights =
      shape.in_channels * shape.out_channels * shape.kernel_x * shape.kernel_y;
  if (weights * 2 > machine.tiling_limit_bytes) {
    cost += (tiling.spatial() - 1) * weights;
  }
  return cost;
}

std::vector<Tiling> Candidates(const ConvShape& shape) {
  std::vector<Tiling> tilings;
  for (int64_t channels = 1; channels <= kMostTiles; ++channels) {
    for (int64_t rows = 1; rows <= kMostTiles; ++rows) {
      for (int64_t columns = 1; columns <= kMostTiles; ++columns) {
        Tiling tiling;
        tiling.channels = channels;
        tiling.rows = rows;
        tiling.columns = columns;
        tiling.tile = TileOf(shape, tiling);
        if (IsExact(shape, tiling)) tilings.push_back(std::move(tiling));
      }
    }
  }
  return tilings;
}

}  // namespace

absl::StatusOr<Tiling> SearchTiling(const Machine& machine,
                                    const ConvShape& shape) {
  absl::Status whole;
  std::optional<Tiling> best;
  std::tuple<int64_t, int64_t> least;
  for (Tiling& tiling : Candidates(shape)) {
    const absl::Status fits = Fit(machine, tiling);
    if (tiling.count() == 1) whole = fits;
    if (!fits.ok()) continue;
    const std::tuple<int64_t, int64_t> cost = {Cost(machine, shape, tiling),
                                               tiling.count()};
    if (best.has_value() && cost >= least) continue;
    least = cost;
    best = std::move(tiling);
  }
  if (!best.has_value()) return whole;
  if (best->count() > 1) {
    best->reason =
        whole.ok() ? "cheaper than in one piece" : std::string(whole.message());
  }
  return *std::move(best);
}

}  // namespace dovetail::vpu
