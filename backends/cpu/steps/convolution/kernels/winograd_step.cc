#include "dovetail/backends/cpu/steps/convolution/kernels/winograd_step.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"
#include "dovetail/backends/cpu/onednn/epilogue/post_ops.h"
#include "dovetail/backends/cpu/steps/common/quantized_data.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_epilogue.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/backends/cpu/steps/convolution/narrow_result.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);
constexpr absl::string_view kInF32 = "winograd_f32", kInBf16 = "winograd_bf16";

// How the work is cut: into runs of tiles, and groups of outputs.
struct Cut {
  // Each thread has some of the runs, and reads all weights in each of them.
  static Cut ByTiles(const WinogradShape& shape, int threads) {
    const int64_t tiles = WinogradTiles(shape);
    const int64_t runs = CeilDivide(tiles, WinogradTilesAtATime(shape));
    return Cut(shape, CeilDivide(tiles, CeilDivide(runs, threads) * threads),
               WinogradGroups(shape));
  }
  // Each thread has some of the outputs, reads their weights in each run, and
  // transforms all that is read.
  static Cut ByGroups(const WinogradShape& shape, int threads) {
    const int64_t tiles = WinogradTiles(shape);
    const int64_t runs = CeilDivide(tiles, WinogradTilesAtATime(shape));
    return Cut(shape, CeilDivide(tiles, runs),
               CeilDivide(WinogradGroups(shape), threads));
  }

  WinogradPart Part(const WinogradShape& shape, int64_t i) const {
    WinogradPart part;
    part.first_tile = i / group_parts * tiles_a_run;
    part.tiles = std::min(tiles_a_run, WinogradTiles(shape) - part.first_tile);
    part.first_group = i % group_parts * groups;
    part.groups = std::min(groups, WinogradGroups(shape) - part.first_group);
    return part;
  }

  // Floats that a thread needs for any of the parts, of which the last groups
  // may have the most outputs.
  int64_t ScratchSize(const WinogradShape& shape) const {
    int64_t size = 0;
    for (int64_t i = 0; i < group_parts; ++i) {
      size = std::max(size, WinogradScratchSize(shape, Part(shape, i)));
    }
    return size;
  }

  int64_t tiles_a_run, groups, group_parts, parts;

 private:
  Cut(const WinogradShape& shape, int64_t tiles, int64_t a_part)
      : tiles_a_run(tiles),
        groups(a_part),
        group_parts(CeilDivide(WinogradGroups(shape), a_part)),
        parts(CeilDivide(WinogradTiles(shape), tiles) * group_parts) {}
};

// A way to compute a problem, and how good it is.
struct Plan {
  WinogradShape shape;
  Cut cut;
  double nanoseconds = 0;
  double price = 0;  // with what its weights take of memory
};

// ---- Where it is faster: nanoseconds until all threads are done ----
//
// They share products; but each reads all weights, or all wait for one memory.

// What it waits for what does not stay in its cache.
double ReadingCost(double bytes, const MachineModel& machine) {
  if (2 * bytes <= static_cast<double>(machine.l2.bytes)) return 0;
  return machine.ReadNs(bytes);
}

// Of reading again what was read a moment ago: from the cache that holds it.
double ReadingAgainCost(double bytes, const MachineModel& machine) {
  if (2 * bytes <= static_cast<double>(machine.l2.bytes)) return 0;
  if (bytes <= static_cast<double>(machine.l3.bytes)) {
    return bytes / machine.l3.bytes_a_ns;
  }
  return machine.ReadNs(bytes);
}

// Of writing and reading transformed tiles that are more than stays in a cache.
double SpillingCost(double bytes, const MachineModel& machine) {
  if (bytes <= static_cast<double>(machine.l2.bytes)) return 0;
  return 2 * machine.ReadNs(bytes);
}

// Memory is worth time, too: a byte of weights beyond what an L2 cache holds
// has to save as much as reading it so often from memory takes, and more often
// where a layer has as much as a whole network, with what its threads compute
// in. Of several threads each saves its part of that, so that a network takes
// as much memory with any number.
double PriceOf(double weights, double scratch, int threads,
               const MachineModel& machine) {
  constexpr double kReadings = 6, kReadingsOfLarge = 18;
  constexpr double kLarge = 64 << 20;
  const double beyond = weights - static_cast<double>(machine.l2.bytes);
  const double readings = std::max(0.0, beyond) * kReadings +
                          std::max(0.0, weights + scratch - kLarge) *
                              (kReadingsOfLarge - kReadings);
  return readings / machine.memory_bytes_a_ns / threads;
}

// Channels with those that fill the last block.
double Padded(int64_t channels, int64_t lanes) {
  return static_cast<double>(CeilDivide(channels, lanes) * lanes);
}

// What a direct convolution multiplies.
struct Direct {
  // By oneDNN's kernels with the widest vectors that it has.
  static Direct Of(ElementType type, const MachineModel& machine) {
    if (type == ElementType::kBf16) {
      return {0.73 * machine.bf16, sizeof(uint16_t), 16};  // Zen 4
    }
    const int64_t lanes = machine.f32_16 > 0 ? 16 : 8;
    return {0.85 * machine.f32(lanes), kFloatBytes, lanes};
  }

  double products_a_ns;  // that are reached, of those that there could be
  int64_t element_bytes, lanes;
};

// Its weights.
double DirectBytes(const WinogradShape& shape, const Direct& direct) {
  return static_cast<double>(shape.rows.kernel * shape.columns.kernel *
                             shape.summed() * direct.element_bytes) *
         Padded(shape.outputs, direct.lanes);
}

double DirectCost(const WinogradShape& shape, const Direct& direct, int threads,
                  const MachineModel& machine) {
  const double bytes = DirectBytes(shape, direct);
  const auto results =
      static_cast<double>(shape.batch * shape.planes.output *
                          shape.rows.output * shape.columns.output);
  return results * bytes / static_cast<double>(direct.element_bytes) /
             direct.products_a_ns / threads +
         ReadingCost(bytes, machine);
}

// Of transforming a tile of one block of channels to or fro, measured in
// products of vectors.
double TransformCost(const WinogradShape& shape) {
  constexpr double kAPoint = 5.8;
  return kAPoint * static_cast<double>(shape.points());
}

// Of one part of the work, by one thread, without the reading of weights.
double PartCost(const WinogradShape& shape, const WinogradPart& part,
                const MachineModel& machine) {
  constexpr double kReached = 0.9;
  constexpr int64_t kSum = 6;  // products that having a sum is worth
  const auto tiles = static_cast<double>(part.tiles);
  const auto points = static_cast<double>(shape.points());
  const auto inputs = static_cast<double>(shape.summed_blocks() * shape.lanes);
  const double outputs = Padded(shape.outputs, shape.lanes) *
                         static_cast<double>(part.groups) /
                         static_cast<double>(WinogradGroups(shape));
  const double products =
      points * static_cast<double>(shape.summed() + kSum) * outputs;
  // Fewer tiles than a sum takes cycles make it wait.
  return (std::max(tiles, 4.0) * products / kReached +
          2 * tiles * TransformCost(shape) * (inputs + outputs)) /
             machine.f32(shape.lanes) +
         SpillingCost(tiles * points * (inputs + outputs) * kFloatBytes,
                      machine);
}

Plan PlanOf(const WinogradShape& shape, const Cut& cut, int threads,
            const MachineModel& machine) {
  const auto parts = static_cast<double>(CeilDivide(cut.parts, threads));
  const double weights =
      static_cast<double>(WinogradWeightsSize(shape)) * kFloatBytes;
  Plan plan = {shape, cut};
  plan.nanoseconds = parts * PartCost(shape, cut.Part(shape, 0), machine) +
                     ReadingCost(weights, machine) +
                     (parts - 1) * ReadingAgainCost(weights, machine);
  const double scratch =
      static_cast<double>(cut.ScratchSize(shape) * threads) * kFloatBytes;
  plan.price = plan.nanoseconds + PriceOf(weights, scratch, threads, machine);
  return plan;
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
  if (problem.transposed || problem.groups != 1 || spatial > 3) {
    return std::nullopt;
  }
  WinogradShape shape;
  shape.lanes = WinogradLanes();
  shape.is_blocked = layout != Layout::kChannelsLast;
  shape.cache_floats = CacheFloats(machine);
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  shape.columns = AxisOf(problem, spatial - 1);
  shape.rows = AxisOf(problem, spatial - 2);
  if (spatial == 3) shape.planes = WindowOf(problem, 0);
  if (shape.planes.kernel > 1 && shape.inputs % shape.lanes != 0) {
    return std::nullopt;
  }
  const auto [smaller, larger] =
      std::minmax(shape.rows.kernel, shape.columns.kernel);
  if (!IsSupported(shape.rows) || !IsSupported(shape.columns) || larger == 1 ||
      (smaller != 1 && smaller != larger)) {
    return std::nullopt;
  }
  return shape;
}

// The ways to compute a shape with tiles of `points` along an axis.
void AddPlans(WinogradShape shape, int64_t points, int threads,
              const MachineModel& machine, std::vector<Plan>& plans) {
  shape.rows.tile = shape.columns.tile = points;
  plans.push_back(
      PlanOf(shape, Cut::ByTiles(shape, threads), threads, machine));
  if (threads == 1 || WinogradGroups(shape) < threads) return;
  // Weights that are read seldom are worth more than tiles that stay in cache.
  shape.cache_floats = std::numeric_limits<int64_t>::max();
  plans.push_back(
      PlanOf(shape, Cut::ByGroups(shape, threads), threads, machine));
}

Plan BestPlan(const WinogradShape& shape, int threads,
              const MachineModel& machine) {
  std::vector<Plan> plans;
  AddPlans(shape, kWinogradPoints, threads, machine, plans);
  if (std::max(shape.rows.kernel, shape.columns.kernel) < 4) {
    AddPlans(shape, 4, threads, machine, plans);
  }
  return *std::min_element(
      plans.begin(), plans.end(),
      [](const Plan& a, const Plan& b) { return a.price < b.price; });
}

// Than a direct convolution; empty: it is not. Memory counts only where it is
// faster.
std::string WhySlower(const Plan& plan, const Direct& direct, int threads,
                      const MachineModel& machine) {
  const WinogradShape& shape = plan.shape;
  const double cost = DirectCost(shape, direct, threads, machine);
  const double price =
      cost + PriceOf(DirectBytes(shape, direct), 0, threads, machine);
  if (plan.nanoseconds < 0.9 * cost && plan.price < price) return "";
  return absl::StrCat("an estimate of ", std::llround(plan.nanoseconds),
                      " ns, ", std::llround(cost), " directly");
}

KernelSpec SpecOf(const Plan& plan, Layout layout) {
  KernelSpec spec;
  spec.kernel = kInF32;
  spec.source = spec.result = layout;
  spec.packed_floats = WinogradWeightsSize(plan.shape);
  spec.packed_parts = static_cast<int>(WinogradGroups(plan.shape));
  spec.pack = [shape = plan.shape](const float* from, float* to, int group) {
    TransformWinogradWeights(shape, group, from, to);
  };
  spec.takes_activation = true;
  spec.work_items = plan.cut.parts;
  spec.scratch_floats = plan.cut.ScratchSize(plan.shape);
  spec.compute = [plan](const ConvolutionOperands& operands, int64_t first,
                        int64_t count, float* scratch) {
    for (int64_t i = first; i < first + count; ++i) {
      ConvolveWinograd(plan.shape, plan.cut.Part(plan.shape, i), operands,
                       scratch);
    }
  };
  return spec;
}

// Of values that are stored as `source`, and results as `result`.
absl::StatusOr<KernelOffer> Offer(const ConvolutionProblem& problem,
                                  ElementType source, ElementType result,
                                  const PlanBuilder& builder) {
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
  const Plan plan = BestPlan(*shape, threads, machine);
  KernelSpec spec = SpecOf(plan, layout);
  spec.source_type = source;
  spec.result_type = result;
  if (source == ElementType::kBf16) spec.kernel = kInBf16;
  KernelOffer offer = OfferKernel(problem, std::move(spec));
  offer.slower = WhySlower(plan, Direct::Of(source, machine), threads, machine);
  return offer;
}

// Whether primitives compute more of what follows the convolution: a step of
// its own costs what is won.
bool LeavesEpilogue(const ConvolutionProblem& problem, const Epilogue& epilogue,
                    const PlanBuilder& builder) {
  const Epilogue whole =
      FindEpilogue(PlanBuilder::OutputOf(*problem.node), OneDnnEpilogues(),
                   [&](Value value) { return builder.IsReady(value); });
  return whole.nodes().size() > epilogue.nodes().size();
}

}  // namespace

absl::StatusOr<KernelOffer> TryWinograd(const ConvolutionProblem& problem,
                                        const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelProblem(problem, builder));
  if (WinogradLanes() == 0) return Unimplemented("no AVX2");
  return Offer(problem, ElementType::kF32, ElementType::kF32, builder);
}

absl::StatusOr<KernelOffer> TryNarrowWinograd(const ConvolutionProblem& problem,
                                              const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelOperands(problem));
  const ElementType type = FasterTypeOf(*problem.node, builder.settings());
  if (type != ElementType::kBf16) return Unimplemented("bf16 is not asked for");
  if (WinogradLanes() != 16) return Unimplemented("no AVX-512");
  if (IsOfQuantized(problem.data)) return Unimplemented("data of few levels");
  const KernelEpilogue follows =
      FindKernelEpilogue(PlanBuilder::OutputOf(*problem.node),
                         {.inner_activation = true}, builder);
  if (LeavesEpilogue(problem, follows.epilogue, builder)) {
    return Unimplemented("an epilogue that it lacks");
  }
  return Offer(problem, type,
               NarrowResultType(follows.epilogue.result(), builder), builder);
}

}  // namespace dovetail::cpu
