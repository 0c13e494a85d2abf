#include "dovetail/backends/vpu/schedule/engine_times.h"

#include <algorithm>
#include <cmath>

#include "absl/status/statusor.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::vpu {
namespace {

int64_t Cycles(double cycles) { return std::llround(cycles); }

double WeightCycles(const Machine& machine, const HwMode& mode) {
  return static_cast<double>(mode.descriptors * mode.steps) *
         machine.step_weight_cycles;
}

// A step is macs_per_cycle products for each pixel, behind the load of its
// weights; a descriptor drains its sums, and each pixel goes through the
// post-operation.
double ComputeCycles(const Machine& machine, const ConvShape& tile,
                     const HwMode& mode) {
  const double pixels = static_cast<double>(tile.pixels());
  const double steps = mode.descriptors * mode.steps;
  return steps * machine.step_cycles_per_pixel * pixels +
         WeightCycles(machine, mode) +
         machine.drain_scale * mode.overhead * mode.descriptors * pixels +
         machine.pixel_cycles * pixels;
}

double OutputCycles(const Machine& machine, const ConvShape& tile) {
  return static_cast<double>(tile.out_channels * tile.out_height) *
         (machine.output_row_cycles +
          machine.output_pixel_cycles * tile.out_width);
}

// Every descriptor reads the input again, as many rows at once as the engine
// holds; parts of rows one by one, as they are not next to each other.
double InputCycles(const Machine& machine, const ConvShape& tile,
                   const HwMode& mode, bool is_by_row) {
  const int64_t rows =
      is_by_row
          ? 1
          : std::max<int64_t>(1, BufferedRows(machine, tile, mode.in_block));
  const int64_t bursts =
      mode.descriptors * tile.in_channels * CeilDivide(tile.in_height, rows);
  return DmaCycles(machine, bursts, rows * RowBytes(tile.in_width));
}

// Reading from DDR beside computing: the longer of both, and something more
// where they take nearly the same time, as each waits for the other in turn.
// Square roots are the same on every host.
int64_t ReadAndCompute(int64_t input, int64_t compute) {
  const double longer = static_cast<double>(std::max(input, compute));
  if (longer == 0) return 0;
  const double ratio = static_cast<double>(std::min(input, compute)) / longer;
  const double square = ratio * ratio;
  return Cycles(longer * std::sqrt(std::sqrt(1 + square * square)));
}

// A tile of which the line buffer holds all rows, but no more than these, is
// read before it is computed; its weights come meanwhile.
bool ReadsAhead(const Machine& machine, const ConvShape& tile,
                const HwMode& mode) {
  return BufferedRows(machine, tile, mode.in_block) >= RowsToReadAhead(tile);
}

// What overlaps takes as long as the longest of it; `joint` is input and
// computing together.
void Overlap(const Machine& machine, int64_t joint, Stage& stage) {
  const int64_t longest =
      std::max({stage.compute_cycles, stage.input_cycles, stage.output_cycles});
  stage.cycles = std::max(joint, longest) + Cycles(machine.hw_stage_cycles);
  stage.bound = longest == stage.compute_cycles ? "compute"
                : longest == stage.input_cycles ? "input"
                                                : "output";
  if (2 * longest < stage.cycles) stage.bound = "fixed";
}

void SetDdr(int64_t cycles, Stage& stage) {
  stage.ddr_cycles = std::min(stage.cycles, cycles);
}

// Groups of 16 channels, one behind another.
void TimePool(const Machine& machine, const Work& work, Stage& stage) {
  constexpr int64_t kGroup = 16;
  const ConvShape& tile = work.tile;
  const double pixels = tile.out_width * tile.out_height;
  const double window = tile.kernel_x * tile.kernel_y;
  const double rest =
      work.is_average ? machine.pool_mean_cycles : machine.pool_pixel_cycles;
  stage.compute_cycles =
      Cycles(CeilDivide(tile.out_channels, kGroup) * pixels *
             (machine.step_cycles_per_pixel * window + rest));
  const double bytes =
      machine.cycles_of_ns(machine.pool_input_byte_ns * 2 * tile.in_width *
                           tile.in_height * tile.out_channels);
  const double rows =
      work.is_by_row ? DmaCycles(machine, tile.in_height * tile.out_channels,
                                 2 * tile.in_width)
                     : 0;
  stage.input_cycles = Cycles(std::max(bytes, rows));
}

}  // namespace

double DmaCycles(const Machine& machine, int64_t bursts, int64_t bytes) {
  const double burst =
      machine.burst_ns + machine.burst_byte_ns * static_cast<double>(bytes);
  return machine.cycles_of_ns(static_cast<double>(bursts) * burst);
}

double StreamCycles(const Machine& machine, int64_t bytes) {
  return machine.cycles_of_ns(machine.burst_byte_ns *
                              static_cast<double>(bytes));
}

void TimeEngine(const Machine& machine, const Work& work, bool reads_ddr,
                Stage& stage) {
  if (work.kind == LayerKind::kPool) {
    TimePool(machine, work, stage);
    Overlap(machine, /*joint=*/0, stage);
    if (reads_ddr) SetDdr(stage.input_cycles, stage);
    return;
  }
  // A tile without a mode is none of the search's.
  const HwMode mode = ChooseMode(machine, work.tile).value_or(HwMode());
  const double compute = ComputeCycles(machine, work.tile, mode);
  const double weights = WeightCycles(machine, mode);
  stage.compute_cycles = Cycles(compute);
  stage.output_cycles = Cycles(OutputCycles(machine, work.tile));
  if (reads_ddr) {
    stage.input_cycles =
        Cycles(InputCycles(machine, work.tile, mode, work.is_by_row));
  }
  Overlap(machine,
          ReadsAhead(machine, work.tile, mode)
              ? ReadAndCompute(stage.input_cycles, stage.compute_cycles)
              : stage.input_cycles + Cycles(compute - weights),
          stage);
  SetDdr(stage.input_cycles + Cycles(weights), stage);
}

}  // namespace dovetail::vpu
