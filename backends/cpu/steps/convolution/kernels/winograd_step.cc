#include "dovetail/backends/cpu/steps/convolution/kernels/winograd_step.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);
// Weights that stay in the L2 cache may be read by all threads.
constexpr int64_t kSharedWeights = 256 << 10;

// How the work is cut: into runs of tiles, and groups of outputs.
struct Cut {
  // Each thread reads all weights, or, where these are larger than what is
  // computed with them, its part of them.
  Cut(const WinogradShape& shape, int threads) {
    const int64_t tiles = WinogradTiles(shape);
    const int64_t runs = CeilDivide(tiles, WinogradTilesAtATime(shape));
    const int64_t all_groups = WinogradGroups(shape);
    groups = all_groups;
    if (runs == 1 && all_groups >= threads &&
        WinogradWeightsSize(shape) * kFloatBytes > kSharedWeights) {
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

// ---- Where it is faster ----

// Cycles that a thread waits for weights which do not stay in its cache: from
// an L3 cache, or from memory.
double ReadingCost(double bytes) {
  if (bytes <= 512 << 10) return 0;
  return bytes <= 4 << 20 ? bytes / 40 : bytes / 4.5;
}

double Blocks(int64_t channels) {
  return static_cast<double>(CeilDivide(channels, kChannelBlock));
}

// Cycles of a direct convolution: two vectors of products a cycle at best.
double DirectCost(const WinogradShape& shape) {
  const auto taps =
      static_cast<double>(shape.rows.kernel * shape.columns.kernel);
  const double weights =
      taps * static_cast<double>(shape.inputs) * Blocks(shape.outputs);
  const auto results = static_cast<double>(shape.batch * shape.rows.output *
                                           shape.columns.output);
  return results * weights / 2 / 0.85 +
         ReadingCost(weights * kChannelBlock * kFloatBytes);
}

double WinogradCost(const WinogradShape& shape) {
  // Of transforming a tile of 8 channels to or fro, and of having a sum,
  // measured in products.
  const double transform = shape.points() > 6 ? 210 : 30;
  constexpr int64_t kSum = 6;
  const auto tiles = static_cast<double>(WinogradTiles(shape));
  const double weights = static_cast<double>(shape.points() * shape.inputs) *
                         Blocks(shape.outputs);
  const double products =
      static_cast<double>(shape.points() * (shape.inputs + kSum)) *
      Blocks(shape.outputs);
  // Fewer tiles than a sum takes cycles make it wait.
  return std::max(tiles, 4.0) * products / 2 / 0.9 +
         tiles * transform * (Blocks(shape.inputs) + Blocks(shape.outputs)) +
         ReadingCost(weights * kChannelBlock * kFloatBytes);
}

absl::Status CheckFaster(const WinogradShape& shape) {
  if (!HasWideVectors()) return Unimplemented("no AVX2");
  // With vectors of 16 a direct convolution is twice as fast.
  if (HasAvx512()) return Unimplemented("AVX-512, by which oneDNN is faster");
  const double cost = WinogradCost(shape), direct = DirectCost(shape);
  if (cost < 0.9 * direct) return absl::OkStatus();
  return Unimplemented("an estimate of ", std::llround(cost), " cycles, ",
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

std::optional<WinogradShape> ShapeOf(const ConvolutionProblem& problem) {
  const int spatial = problem.source.rank() - 2;
  if (problem.transposed || problem.groups != 1 || spatial > 2) {
    return std::nullopt;
  }
  WinogradShape shape;
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
  const auto shape = ShapeOf(problem);
  if (!shape.has_value()) {
    return Unimplemented("no dense window of stride 1 and up to ",
                         WinogradAxis::kMaxKernel, " elements");
  }
  DOVETAIL_RETURN_IF_ERROR(CheckFaster(*shape));
  const Cut cut(*shape, std::max(1, builder.settings().threads));
  KernelSpec spec;
  spec.kernel = "winograd_f32";
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
  return OfferKernel(problem, std::move(spec));
}

}  // namespace dovetail::cpu
