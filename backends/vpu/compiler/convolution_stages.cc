#include "dovetail/backends/vpu/compiler/convolution_stages.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/tiling.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::vpu {
namespace {

int64_t Cycles(double cycles) { return std::llround(cycles); }

// Where a tile of the grid of rows and columns begins and ends.
ConvShape TileAt(const ConvShape& shape, const Tiling& tiling, int64_t row,
                 int64_t column) {
  ConvShape tile = tiling.tile;
  const int64_t height = tile.out_height, width = tile.out_width;
  tile.out_height = std::min(height, shape.out_height - row * height);
  tile.out_width = std::min(width, shape.out_width - column * width);
  tile.in_height = std::min(
      shape.in_height, (tile.out_height - 1) * shape.stride + shape.kernel_y);
  tile.in_width = std::min(
      shape.in_width, (tile.out_width - 1) * shape.stride + shape.kernel_x);
  return tile;
}

// A step is macs_per_cycle products for each pixel, behind the load of its
// weights; a descriptor drains its sums, and each pixel goes through the
// post-operation.
double ComputeCycles(const Machine& machine, const ConvShape& tile,
                     const HwMode& mode) {
  const double pixels = tile.out_width * tile.out_height;
  const double steps = mode.descriptors * mode.steps;
  return steps * (machine.step_cycles_per_pixel * pixels +
                  machine.step_weight_cycles) +
         machine.drain_scale * mode.overhead * mode.descriptors * pixels +
         machine.pixel_cycles * pixels;
}

double OutputCycles(const Machine& machine, const ConvShape& tile) {
  return static_cast<double>(tile.out_channels * tile.out_height) *
         (machine.output_row_cycles +
          machine.output_pixel_cycles * tile.out_width);
}

// Every descriptor reads the input again, as many rows at once as the engine
// holds; a part of a plane row by row, as its rows are not next to each other.
double InputCycles(const Machine& machine, const ConvShape& tile,
                   const HwMode& mode, bool is_part) {
  const int64_t rows =
      is_part
          ? 1
          : std::max<int64_t>(1, BufferedRows(machine, tile, mode.in_block));
  const int64_t bursts =
      mode.descriptors * tile.in_channels * CeilDivide(tile.in_height, rows);
  return DmaCycles(machine, bursts, rows * tile.in_width * 2);
}

std::string Describe(const Machine& machine, const Tiling& tiling,
                     absl::string_view in_ddr) {
  const HwMode& mode = tiling.mode;
  std::string text = absl::StrCat(
      "mode ", mode.in_block, "_",
      static_cast<int64_t>(machine.macs_per_cycle) / mode.in_block, ", ",
      mode.descriptors, " descriptors of ", mode.steps, " steps");
  if (tiling.count() > 1) {
    absl::StrAppend(&text, "; ", tiling.channels, "x", tiling.rows, "x",
                    tiling.columns,
                    " tiles (channels, rows, columns): ", tiling.reason);
  }
  if (!in_ddr.empty()) absl::StrAppend(&text, "; input in DDR: ", in_ddr);
  return text;
}

// What overlaps, and the longest of it.
void Overlap(const Machine& machine, Stage& stage) {
  const int64_t longest =
      std::max({stage.compute_cycles, stage.input_cycles, stage.output_cycles});
  stage.cycles = longest + Cycles(machine.hw_stage_cycles);
  stage.bound = longest == stage.compute_cycles ? "compute"
                : longest == stage.input_cycles ? "input"
                                                : "output";
  if (2 * longest < stage.cycles) stage.bound = "fixed";
}

// Adds the stages of one shape; the members are what they have in common.
class Convolution {
 public:
  Convolution(const Machine& machine, const ConvShape& shape,
              const Tiling& tiling, int layer, absl::string_view name,
              absl::string_view in_ddr, Stages& stages)
      : machine_(machine),
        shape_(shape),
        tiling_(tiling),
        layer_(layer),
        name_(name),
        reads_ddr_(!in_ddr.empty() || tiling.spatial() > 1),
        reason_(Describe(machine, tiling, in_ddr)),
        stages_(stages) {}

  void AddAll() {
    for (int64_t c = 0; c < tiling_.channels; ++c) {
      for (int64_t y = 0; y < tiling_.rows; ++y) {
        for (int64_t x = 0; x < tiling_.columns; ++x) {
          AddTile(TileAt(shape_, tiling_, y, x), c, y, x);
        }
      }
      if (c > 0) AddSum(c);
    }
  }

 private:
  std::string Suffix(int64_t c, int64_t y, int64_t x) const {
    std::string text;
    const auto part = [&](absl::string_view axis, int64_t i, int64_t count) {
      if (count > 1) absl::StrAppend(&text, axis, i + 1, "/", count);
    };
    part("@soc=", c, tiling_.channels);
    part("@soh=", y, tiling_.rows);
    part("@sow=", x, tiling_.columns);
    return text;
  }

  void AddTile(const ConvShape& tile, int64_t c, int64_t y, int64_t x) {
    Stage stage;
    stage.layer = layer_;
    stage.name = absl::StrCat(name_, Suffix(c, y, x));
    stage.reason = reason_;
    stage.compute_cycles = Cycles(ComputeCycles(machine_, tile, tiling_.mode));
    stage.output_cycles = Cycles(OutputCycles(machine_, tile));
    if (reads_ddr_) {
      stage.input_cycles = Cycles(
          InputCycles(machine_, tile, tiling_.mode, tiling_.spatial() > 1));
    }
    const int64_t channels =
        std::min(tile.in_channels, shape_.in_channels - c * tile.in_channels);
    stage.macs = tile.out_width * tile.out_height * tile.out_channels *
                 channels * tile.kernel_x * tile.kernel_y;
    Overlap(machine_, stage);
    stages_.push_back(stage);
    if (tiling_.spatial() > 1) AddCopy(tile, stage.name);
  }

  // A tile goes to its place in DDR, in as few runs as its rows allow.
  void AddCopy(const ConvShape& tile, absl::string_view name) {
    const bool is_whole_rows = tiling_.columns == 1;
    const int64_t rows = is_whole_rows ? 1 : tile.out_height;
    const int64_t bytes =
        tile.out_width * 2 * (is_whole_rows ? tile.out_height : 1);
    Stage stage;
    stage.layer = layer_;
    stage.name = absl::StrCat(name, "@copy");
    stage.lane = Lane::kDma;
    stage.bytes = tile.out_channels * rows * bytes;
    stage.output_cycles =
        Cycles(DmaCycles(machine_, tile.out_channels * rows, bytes));
    stage.cycles = stage.output_cycles;
    stage.bound = "output";
    stage.reason = "one of several tiles of an output";
    stages_.push_back(std::move(stage));
  }

  void AddSum(int64_t c) {
    Stage stage;
    stage.layer = layer_;
    stage.name = absl::StrCat(name_, "@accum=", c);
    stage.lane = Lane::kShave;
    stage.compute_cycles =
        Cycles(machine_.binary_element_cycles * 2 / machine_.shaves_beside_hw *
               static_cast<double>(shape_.out_width * shape_.out_height *
                                   shape_.out_channels));
    stage.cycles = stage.compute_cycles + Cycles(machine_.binary_stage_cycles);
    stage.bound = 2 * stage.compute_cycles < stage.cycles ? "fixed" : "compute";
    stage.reason = "sums of input channels cut into tiles";
    stages_.push_back(std::move(stage));
  }

  const Machine& machine_;
  const ConvShape& shape_;
  const Tiling& tiling_;
  const int layer_;
  const absl::string_view name_;
  const bool reads_ddr_;
  const std::string reason_;
  Stages& stages_;
};

int64_t Macs(const ConvShape& shape) {
  return shape.out_width * shape.out_height * shape.out_channels *
         shape.in_channels * shape.kernel_x * shape.kernel_y;
}

}  // namespace

double DmaCycles(const Machine& machine, int64_t bursts, int64_t bytes) {
  const double burst =
      machine.burst_ns + machine.burst_byte_ns * static_cast<double>(bytes);
  return machine.cycles_of_ns(static_cast<double>(bursts) * burst);
}

double ShaveProductCycles(const Machine& machine, int64_t macs) {
  constexpr double kLanes = 8;
  return static_cast<double>(macs) / (kLanes * machine.shaves_beside_hw);
}

void AddConvolution(const Machine& machine, const ConvShape& shape, int layer,
                    absl::string_view name, absl::string_view in_ddr,
                    Stages& stages) {
  const absl::StatusOr<Tiling> tiling = SearchTiling(machine, shape);
  if (tiling.ok()) {
    Convolution(machine, shape, *tiling, layer, name, in_ddr, stages).AddAll();
    return;
  }
  Stage stage;
  stage.layer = layer;
  stage.name = std::string(name);
  stage.lane = Lane::kShave;
  stage.macs = Macs(shape);
  stage.compute_cycles = Cycles(ShaveProductCycles(machine, stage.macs));
  stage.cycles = stage.compute_cycles + Cycles(machine.unary_stage_cycles);
  stage.bound = "compute";
  stage.reason =
      absl::StrCat("no tile fits an engine: ", tiling.status().message());
  stages.push_back(std::move(stage));
}

void AddPool(const Machine& machine, const ConvShape& shape, int layer,
             absl::string_view name, Stages& stages) {
  constexpr int64_t kGroup = 16;
  const double pixels = shape.out_width * shape.out_height;
  const double window = shape.kernel_x * shape.kernel_y;
  Stage stage;
  stage.layer = layer;
  stage.name = std::string(name);
  stage.compute_cycles = Cycles(
      CeilDivide(shape.out_channels, kGroup) * pixels *
      (machine.step_cycles_per_pixel * window + machine.pool_pixel_cycles));
  stage.input_cycles = Cycles(
      machine.cycles_of_ns(machine.pool_input_byte_ns * 2 * shape.in_width *
                           shape.in_height * shape.out_channels));
  stage.reason = "mode 16_16, descriptors of 16 channels";
  Overlap(machine, stage);
  const int64_t bytes =
      RowBytes(shape.out_width) * shape.out_height * shape.out_channels;
  stages.push_back(std::move(stage));
  if (bytes <= machine.tiling_limit_bytes) return;
  Stage copy;
  copy.layer = layer;
  copy.name = absl::StrCat(name, "@copy");
  copy.lane = Lane::kDma;
  copy.bytes = shape.out_width * shape.out_height * shape.out_channels * 2;
  copy.output_cycles = Cycles(DmaCycles(
      machine, shape.out_channels, shape.out_width * shape.out_height * 2));
  copy.cycles = copy.output_cycles;
  copy.bound = "output";
  copy.reason = absl::StrCat("the output takes ", bytes, " bytes of CMX, of ",
                             machine.tiling_limit_bytes);
  stages.push_back(std::move(copy));
}

}  // namespace dovetail::vpu
