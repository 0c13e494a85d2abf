#include "dovetail/backends/vpu/compiler/tiling/tiling.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/tiling/known_tilings.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

constexpr int64_t kMostTiles = 15;
// A narrower tile of a convolution wastes what an engine reads at once.
constexpr int64_t kLeastWidth = 64, kLeastPoolWidth = 8;

// What is asked of tiles, whose extents are those of their inputs.
struct Search {
  const Machine& machine;
  const ConvShape& shape;
  bool is_pool;
  PlaneAxis rows, columns;
  bool ceil;  // whether the last window of a plane may stick out
};

bool NeedsCeil(const PlaneAxis& axis) {
  return OutputsOf(axis, axis.input, true) == axis.output;
}

Search SearchFor(const Machine& machine, const ConvShape& s, bool is_pool) {
  Search search{machine, s, is_pool, RowsOf(s), ColumnsOf(s), false};
  search.ceil = NeedsCeil(search.rows) || NeedsCeil(search.columns);
  return search;
}

// An even share of the input, of whole strides; of rows at least as many as
// their share of the output needs.
int64_t InputShare(const PlaneAxis& axis, int64_t tiles, bool covers_output) {
  if (tiles == 1) return axis.input;
  const int64_t share =
      CeilDivide(CeilDivide(axis.input, tiles), axis.stride) * axis.stride;
  const int64_t outputs = CeilDivide(axis.output, tiles);
  if (!covers_output || OutputsOf(axis, share, false) >= outputs) return share;
  return (outputs - 1) * axis.stride + axis.kernel - axis.before - axis.after;
}

std::vector<PlaneTile> TilesOf(const Search& search, const PlaneAxis& axis,
                               int64_t input) {
  return CutAxis(axis, OutputsOf(axis, input, search.ceil));
}

ConvShape Computed(const ConvShape& shape, int64_t channels,
                   const PlaneTile& row, const PlaneTile& column) {
  ConvShape tile = shape;
  tile.in_channels = channels;
  tile.in_height = row.input();
  tile.in_width = column.input();
  tile.out_height = row.computed;
  tile.out_width = column.computed;
  return tile;
}

absl::Status CheckOutput(const Machine& machine, const ConvShape& tile) {
  const int64_t bytes =
      RowBytes(tile.out_width) * tile.out_height * tile.out_channels;
  if (bytes <= machine.tiling_limit_bytes) return absl::OkStatus();
  return Unimplemented("the output takes ", bytes, " bytes of CMX, of ",
                       machine.tiling_limit_bytes);
}

// A padded plane is read with its padding into a buffer, a smaller one where
// rows are added below.
absl::Status CheckPoolTile(const Search& search, const ConvShape& tile) {
  const ConvShape& s = tile;
  const int64_t held = static_cast<int64_t>(search.machine.line_buffer_bytes) /
                       16 / RowBytes(s.in_width);
  if (std::min(held, s.in_height) < s.kernel_y) {
    return Unimplemented("the line buffer holds ", held, " of ", s.kernel_y,
                         " rows");
  }
  const auto added = [&](int64_t out, int64_t kernel, int64_t in,
                         int64_t before) {
    return (out - 1) * s.stride + kernel - in - before > 0;
  };
  const bool below =
      added(s.out_height, s.kernel_y, s.in_height, search.rows.before);
  const bool beside =
      search.columns.before > 0 ||
      added(s.out_width, s.kernel_x, s.in_width, search.columns.before);
  if (!below && !beside) return absl::OkStatus();
  const double limit = search.machine.padded_pool_bytes / (below ? 2 : 1);
  const int64_t bytes =
      RowBytes(s.in_width) * (s.in_height - 1 + s.kernel_y - 1);
  if (bytes <= limit) return absl::OkStatus();
  return Unimplemented("a padded plane takes ", bytes, " bytes, of ", limit);
}

// A tile that begins between groups of 8 pixels is copied whole.
bool IsMisaligned(int64_t pixel) { return pixel % 8 != 0; }

// The compiler's cost of one tile, of which its partial sums, where channels
// are cut, are by far the most.
absl::StatusOr<int64_t> CostOfTile(const Search& search, const Tiling& tiling,
                                   const PlaneTile& row,
                                   const PlaneTile& column) {
  const ConvShape tile =
      Computed(search.shape, tiling.tile_channels, row, column);
  const int64_t outputs = tile.out_width * tile.out_height * tile.out_channels;
  int64_t cost = 0, in_channels = tile.in_channels;
  DOVETAIL_RETURN_IF_ERROR(CheckOutput(search.machine, tile));
  if (search.is_pool) {
    DOVETAIL_RETURN_IF_ERROR(CheckPoolTile(search, tile));
    cost = tile.in_channels / 16 * tile.kernel_x * tile.kernel_y;
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(const HwMode mode,
                              ChooseMode(search.machine, tile));
    cost = mode.cost() * tiling.channels + (tiling.channels - 1) * outputs;
    in_channels = RoundUp(in_channels, mode.in_block);
  }
  if (IsMisaligned(column.out_begin)) cost += outputs;
  if (IsMisaligned(column.in_begin)) {
    cost += tile.in_width * tile.in_height * in_channels;
  }
  return cost;
}

absl::StatusOr<int64_t> CostOf(const Search& search, const Tiling& tiling) {
  int64_t cost = 0;
  if (tiling.rows.empty() || tiling.columns.empty()) {
    return Unimplemented("no tile of the plane holds more than junk");
  }
  for (const PlaneTile& row : tiling.rows) {
    for (const PlaneTile& column : tiling.columns) {
      DOVETAIL_ASSIGN_OR_RETURN(const int64_t one,
                                CostOfTile(search, tiling, row, column));
      cost += one;
    }
  }
  return cost;
}

// The cheapest until now.
class Best {
 public:
  void Offer(int64_t cost, int64_t tiles, Tiling tiling) {
    const std::tuple<int64_t, int64_t> key = {cost, tiles};
    if (tiling_.has_value() && key >= least_) return;
    least_ = key;
    tiling_ = std::move(tiling);
  }
  std::optional<Tiling> Take() && { return std::move(tiling_); }

 private:
  std::tuple<int64_t, int64_t> least_;
  std::optional<Tiling> tiling_;
};

// Offers what numbers of rows fit: of a convolution only the fewest.
void OfferRows(const Search& search, int64_t columns, const Tiling& base,
               absl::Status& whole, Best& best) {
  for (int64_t rows = 1; rows <= kMostTiles; ++rows) {
    const int64_t height = InputShare(search.rows, rows, !search.is_pool);
    if (rows > 1 && height < search.shape.kernel_y) return;
    Tiling tiling = base;
    tiling.rows = TilesOf(search, search.rows, height);
    const absl::StatusOr<int64_t> cost = CostOf(search, tiling);
    const int64_t tiles = tiling.channels * rows * columns;
    if (tiles == 1) whole = cost.status();
    if (!cost.ok()) continue;
    best.Offer(*cost, tiles, std::move(tiling));
    if (!search.is_pool) return;
  }
}

std::optional<Tiling> Cheapest(const Search& search, absl::Status& whole) {
  Best best;
  const int64_t least_width =
      search.is_pool ? std::max(kLeastPoolWidth, search.shape.kernel_x)
                     : kLeastWidth;
  const int64_t most_channels = search.is_pool ? 1 : kMostTiles;
  for (int64_t channels = 1; channels <= most_channels; ++channels) {
    Tiling base;
    base.channels = channels;
    base.tile_channels = CeilDivide(search.shape.in_channels, channels);
    if (CeilDivide(search.shape.in_channels, base.tile_channels) != channels) {
      continue;
    }
    for (int64_t columns = 1; columns <= kMostTiles; ++columns) {
      const int64_t width = InputShare(search.columns, columns, false);
      if (columns > 1 && width < least_width) break;
      base.columns = TilesOf(search, search.columns, width);
      OfferRows(search, columns, base, whole, best);
    }
  }
  return std::move(best).Take();
}

// The compiler's own choice for this shape, where it has one that fits.
std::optional<Tiling> Known(const Search& search) {
  const std::optional<KnownTile> known =
      FindKnownTile(search.machine, search.shape);
  if (!known.has_value() || search.is_pool) return std::nullopt;
  Tiling tiling;
  tiling.tile_channels = std::min(known->channels, search.shape.in_channels);
  tiling.channels = CeilDivide(search.shape.in_channels, tiling.tile_channels);
  tiling.rows =
      TilesOf(search, search.rows, std::min(known->height, search.rows.input));
  tiling.columns = TilesOf(search, search.columns,
                           std::min(known->width, search.columns.input));
  // The compiler asks of these only whether an engine takes them.
  Machine without_limit = search.machine;
  without_limit.tiling_limit_bytes = without_limit.cmx_bytes();
  const Search loose{without_limit, search.shape,   search.is_pool,
                     search.rows,   search.columns, search.ceil};
  if (!CostOf(loose, tiling).ok()) return std::nullopt;
  tiling.reason = "the compiler's own tiles for this shape";
  return tiling;
}

// Pixels of a row that engines take of so many channels with a pool; 0: any.
int64_t MostPooledColumns(int64_t channels) {
  constexpr int64_t kLeast = 16, kMost = 128, kPixels = 9216;
  if (channels <= kLeast || channels > kMost) return 0;
  return kPixels / RoundUp(channels, 16) / 8 * 8;
}

absl::Status CheckPooled(const ConvShape& s) {
  const int64_t most = MostPooledColumns(s.in_channels);
  if (most > 0 && s.in_width > most) {
    return Unimplemented("a row of ", s.in_width, " pixels, more than ", most,
                         " for ", s.in_channels, " channels with a pool");
  }
  const int64_t odd =
      (s.in_width | s.in_height | s.out_width | s.out_height) % 2;
  if (odd != 0 || s.out_width <= 2) {
    return Unimplemented("an extent that is odd or too small for a pool");
  }
  return absl::OkStatus();
}

// The fewest tiles of rows that fit.
std::optional<Tiling> CheapestPooled(const Search& search,
                                     absl::Status& whole) {
  Tiling tiling;
  tiling.tile_channels = search.shape.in_channels;
  tiling.columns = CutPooledAxis(search.columns, search.columns.output);
  for (int64_t rows = 1; rows <= kMostTiles; ++rows) {
    const int64_t height = CeilDivide(search.rows.input, rows);
    if (rows > 1 && height < 2 * search.shape.kernel_y) break;
    tiling.rows = CutPooledAxis(search.rows, height / 2);
    const bool is_too_small =
        std::any_of(tiling.rows.begin(), tiling.rows.end(),
                    [](const PlaneTile& row) { return row.computed <= 2; });
    const absl::Status fits =
        is_too_small ? Unimplemented("too few rows for a pool")
                     : CostOf(search, tiling).status();
    if (rows == 1) whole = fits;
    if (fits.ok()) return tiling;
  }
  return std::nullopt;
}

absl::StatusOr<Tiling> WithReason(std::optional<Tiling> best,
                                  const absl::Status& whole) {
  if (!best.has_value()) return whole;
  if (best->count() > 1) {
    best->reason =
        whole.ok() ? "cheaper than in one piece" : std::string(whole.message());
  }
  return *std::move(best);
}

absl::StatusOr<Tiling> Run(const Search& search) {
  if (std::optional<Tiling> known = Known(search)) return *std::move(known);
  absl::Status whole;
  std::optional<Tiling> best = Cheapest(search, whole);
  return WithReason(std::move(best), whole);
}

}  // namespace

ConvShape Tiling::TileAt(const ConvShape& shape, size_t row,
                         size_t column) const {
  return Computed(shape, tile_channels, rows[row], columns[column]);
}

ConvShape Tiling::KeptAt(const ConvShape& shape, size_t row,
                         size_t column) const {
  ConvShape tile = TileAt(shape, row, column);
  tile.out_height = rows[row].output();
  tile.out_width = columns[column].output();
  return tile;
}

absl::StatusOr<Tiling> SearchTiling(const Machine& machine,
                                    const ConvShape& shape) {
  return Run(SearchFor(machine, shape, false));
}

absl::StatusOr<Tiling> SearchPooledTiling(const Machine& machine,
                                          const ConvShape& shape) {
  DOVETAIL_RETURN_IF_ERROR(CheckPooled(shape));
  absl::Status whole;
  std::optional<Tiling> best =
      CheapestPooled(SearchFor(machine, shape, false), whole);
  return WithReason(std::move(best), whole);
}

absl::StatusOr<Tiling> SearchPoolTiling(const Machine& machine,
                                        const ConvShape& shape) {
  return Run(SearchFor(machine, shape, true));
}

}  // namespace dovetail::vpu
