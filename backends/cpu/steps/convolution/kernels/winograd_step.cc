#include "dovetail/backends/cpu/steps/convolution/kernels/winograd_step.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);

// How the work is cut: into runs of tiles, and groups of outputs.
struct Cut {
  // Each thread reads all weights, or, where these are larger than what is
  // computed with them, its part of them. Weights of half an L2 cache stay
  // there beside the tiles.
  Cut(const WinogradShape& shape, int threads, int64_t l2_bytes) {
    const int64_t tiles = WinogradTiles(shape);
    const int64_t runs = CeilDivide(tiles, WinogradTilesAtATime(shape));
    const int64_t all_groups = WinogradGroups(shape);
    groups = all_groups;
    if (runs == 1 && all_groups >= threads &&
        WinogradWeightsSize(shape) * kFloatBytes > l2_bytes / 2) {
      groups = CeilDivide(all_groups, threads);
      tiles_a_run = tiles;
    } else {
      tiles_a_run = CeilDivide(tiles, CeilDivide(runs, threads) * threads);
    }
    group_parts = CeilDivide(all_groups, groups);
    parts = CeilDivide(tiles, tiles_a_run) * group_parts;
  }

  WinogradPart Part(const WinogradShape& shape, int64_t i) const {
    WinogradPart part;
    part.first_tile = i / group_parts * tiles_a_run;
    part.tiles = std::min(tiles_a_run, WinogradTiles(shape) - part.first_tile);
    part.first_group = i % group_parts * groups;
    part.groups = std::min(groups, WinogradGroups(shape) - part.first_group);
    return part;
  }

  int64_t tiles_a_run, groups, group_parts, parts;
};

// ---- Where it is faster: nanoseconds until all threads are done ----
//
// They share products; but each reads weights, or all wait for one memory.

// What it waits for weights that do not stay in its cache.
double ReadingCost(double bytes, const MachineModel& machine) {
  if (2 * bytes <= static_cast<double>(machine.l2.bytes)) return 0;
  return machine.ReadNs(bytes);
}

// Channels with those that fill the last block.
double Padded(int64_t channels, int64_t lanes) {
  return static_cast<double>(CeilDivide(channels, lanes) * lanes);
}

// Of a direct convolution by oneDNN, with the widest vectors that it has.
double DirectCost(const WinogradShape& shape, int threads,
                  const MachineModel& machine) {
  constexpr double kReached = 0.85;  // of the products that there could be
  const int64_t lanes = machine.f32_16 > 0 ? 16 : 8;
  const auto taps =
      static_cast<double>(shape.rows.kernel * shape.columns.kernel);
  const double weights =
      taps * static_cast<double>(shape.inputs) * Padded(shape.outputs, lanes);
  const auto results = static_cast<double>(shape.batch * shape.rows.output *
                                           shape.columns.output);
  return results * weights / machine.f32(lanes) / kReached / threads +
         ReadingCost(weights * kFloatBytes, machine);
}

double WinogradCost(const WinogradShape& shape, int threads,
                    const MachineModel& machine) {
  constexpr double kReached = 0.9;
  // Of transforming a tile of one block of channels to or fro, and of having a
  // sum, measured in products of vectors.
  const double transform = shape.points() > 6 ? 210 : 30;
  constexpr int64_t kSum = 6;
  const auto tiles = static_cast<double>(WinogradTiles(shape));
  const double inputs = Padded(shape.inputs, shape.lanes);
  const double outputs = Padded(shape.outputs, shape.lanes);
  const double weights =
      static_cast<double>(shape.points() * shape.inputs) * outputs;
  const double products =
      static_cast<double>(shape.points() * (shape.inputs + kSum)) * outputs;
  // Fewer tiles than a sum takes cycles make it wait.
  return (std::max(tiles, 4.0) * products / kReached +
          2 * tiles * transform * (inputs + outputs)) /
             machine.f32(shape.lanes) / threads +
         ReadingCost(weights * kFloatBytes, machine);
}

// Empty: it is not.
std::string WhySlower(const WinogradShape& shape, int threads,
                      const MachineModel& machine) {
  const double cost = WinogradCost(shape, threads, machine);
  const double direct = DirectCost(shape, threads, machine);
  if (cost < 0.9 * direct) return "";
  return absl::StrCat("an estimate of ", std::llround(cost), " ns, ",
                      std::llround(direct), " directly");
}

WinogradAxis AxisOf(const ConvolutionProblem& problem, int i) {
  WinogradAxis axis = {WindowOf(problem, i)};
  if (axis.kernel == 1) axis.dilation = 1;
  return axis;
}

bool IsSupported(const WinogradAxis& axis) {
  return axis.stride == 1 && axis.kernel <= WinogradAxis::kMaxKernel;
}

// Most of what transformed tiles may take of the L2 cache, so that weights pass
// through the rest.
int64_t CacheFloats(const MachineModel& machine) {
  return machine.l2.bytes * 3 / 4 / kFloatBytes;
}

std::optional<WinogradShape> ShapeOf(const ConvolutionProblem& problem,
                                     Layout layout,
                                     const MachineModel& machine) {
  const int spatial = problem.source.rank() - 2;
  if (problem.transposed || problem.groups != 1 || spatial > 2) {
    return std::nullopt;
  }
  WinogradShape shape;
  shape.lanes = WinogradLanes();
  shape.is_blocked = layout != Layout::kChannelsLast;
  shape.cache_floats = CacheFloats(machine);
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  if (spatial == 2) shape.rows = AxisOf(problem, 0);
  shape.columns = AxisOf(problem, spatial - 1);
  const auto [smaller, larger] =
      std::minmax(shape.rows.kernel, shape.columns.kernel);
  if (!IsSupported(shape.rows) || !IsSupported(shape.columns) || larger == 1 ||
      (smaller != 1 && smaller != larger)) {
    return std::nullopt;
  }
  return shape;
}

}  // namespace

absl::StatusOr<KernelOffer> TryWinograd(const ConvolutionProblem& problem,
                                        const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelProblem(problem, builder));
  if (WinogradLanes() == 0) return Unimplemented("no AVX2");
  const MachineModel& machine = builder.settings().machine_model();
  // By 8 lanes, blocks are never slower, and depthwise layers beside want them.
  const Layout layout = WinogradLanes() == 8
                            ? Layout::kBlocked8
                            : LayoutByLanes(problem, WinogradLanes());
  const auto shape = ShapeOf(problem, layout, machine);
  if (!shape.has_value()) {
    return Unimplemented("no dense window of stride 1 and up to ",
                         WinogradAxis::kMaxKernel, " elements");
  }
  const int threads = std::max(1, builder.settings().threads);
  const Cut cut(*shape, threads, machine.l2.bytes);
  KernelSpec spec;
  spec.kernel = "winograd_f32";
  spec.source = spec.result = layout;
  spec.packed_floats = WinogradWeightsSize(*shape);
  spec.pack = [shape = *shape](const float* from, float* to) {
    TransformWinogradWeights(shape, from, to);
  };
  spec.work_items = cut.parts;
  spec.scratch_floats = WinogradScratchSize(*shape);
  spec.compute = [shape = *shape, cut](const ConvolutionOperands& operands,
                                       int64_t first, int64_t count,
                                       float* scratch) {
    for (int64_t i = first; i < first + count; ++i) {
      ConvolveWinograd(shape, cut.Part(shape, i), operands, scratch);
    }
  };
  KernelOffer offer = OfferKernel(problem, std::move(spec));
  offer.slower = WhySlower(*shape, threads, machine);
  return offer;
}

}  // namespace dovetail::cpu
