#include "dovetail/backends/cpu/steps/convolution/kernels/gathered_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/convolution/gathered/gathered.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kFloatBytes = sizeof(float);

std::optional<GatheredShape> ShapeOf(const ConvolutionProblem& problem) {
  if (problem.transposed || problem.groups != 1 || problem.source.rank() > 4) {
    return std::nullopt;
  }
  GatheredShape shape;
  shape.batch = problem.source[0];
  shape.inputs = problem.source[1];
  shape.outputs = problem.result[1];
  shape.rows = WindowOf(problem, 0);
  shape.columns = WindowOf(problem, 1);
  return shape;
}

// How the work is cut: into runs of pixels, and groups of outputs.
struct Cut {
  Cut(const GatheredShape& shape, int threads, const MachineModel& machine) {
    runs_an_image = CeilDivide(shape.pixels(), MostPixels(machine));
    pixels = CeilDivide(shape.pixels(), runs_an_image);
    const int64_t all = GatheredGroups(shape);
    double least = std::numeric_limits<double>::infinity();
    for (int64_t i = CeilDivide(all, MostGroups(pixels, machine)); i <= all;
         ++i) {
      const double time = Time(shape, i, threads);
      if (time >= least) continue;
      least = time;
      groups = CeilDivide(all, i);
      group_parts = CeilDivide(all, groups);
    }
    parts = shape.batch * runs_an_image * group_parts;
  }

  // Pixels whose gathered windows stay in a part of the L2 cache.
  static int64_t MostPixels(const MachineModel& machine) {
    constexpr int64_t kBytes = 256 * kFloatBytes;  // that are gathered of each
    return std::clamp<int64_t>(machine.l2.bytes / 4 / kBytes, 48, 256);
  }
  // Groups whose sums do, beside them.
  static int64_t MostGroups(int64_t pixels, const MachineModel& machine) {
    const int64_t bytes = 2 * GatheredShape::kLanes * pixels * kFloatBytes;
    return std::max<int64_t>(1, machine.l2.bytes / 3 / bytes);
  }
  // Until all threads are done, in products of a run with a group, if groups
  // are in so many parts. Each of these gathers.
  double Time(const GatheredShape& shape, int64_t in_parts, int threads) const {
    const double gathering = shape.is_gathered() ? 0.02 : 0.16;
    const int64_t all = shape.batch * runs_an_image * in_parts;
    return static_cast<double>(CeilDivide(all, int64_t{threads})) *
           (static_cast<double>(CeilDivide(GatheredGroups(shape), in_parts)) +
            gathering);
  }

  GatheredPart Part(const GatheredShape& shape, int64_t i) const {
    GatheredPart part;
    const int64_t run = i / group_parts;
    part.image = run / runs_an_image;
    part.first_pixel = run % runs_an_image * pixels;
    part.pixels = std::min(pixels, shape.pixels() - part.first_pixel);
    part.first_group = i % group_parts * groups;
    part.groups = std::min(groups, GatheredGroups(shape) - part.first_group);
    return part;
  }

  // Floats that a thread needs for any of the parts, of which the last groups
  // may have the most outputs.
  int64_t ScratchSize(const GatheredShape& shape) const {
    int64_t size = 0;
    for (int64_t i = 0; i < group_parts; ++i) {
      size = std::max(size, GatheredScratchSize(shape, Part(shape, i)));
    }
    return size;
  }

  int64_t pixels = 0, groups = 0, group_parts = 0, runs_an_image = 0;
  int64_t parts = 0;
};

// ---- Where it is faster: nanoseconds until all threads are done ----
//
// Measured with AVX2 on a Zen 3 processor, in products of vectors of 8 floats,
// as many at a time as the machine model says.

double WeightsBytes(const GatheredShape& shape) {
  return static_cast<double>(GatheredWeightsSize(shape)) * kFloatBytes;
}

// Results for each block of the input: vectors of sums.
double Sums(const GatheredShape& shape) {
  return static_cast<double>(shape.batch * shape.pixels() *
                             shape.output_blocks() * shape.input_blocks()) *
         GatheredShape::kLanes;
}

double OwnCost(const GatheredShape& shape, const Cut& cut, int threads,
               const MachineModel& machine) {
  constexpr double kReached = 0.8;  // of the products that there could be
  constexpr double kCopy = 24;      // products that copying a vector is worth
  const double products =
      Sums(shape) * GatheredShape::kLanes * static_cast<double>(shape.taps());
  const double copies =
      shape.is_gathered()
          ? 0
          : static_cast<double>(shape.batch * shape.pixels() * shape.vectors() *
                                cut.group_parts);
  const double computing =
      (products / kReached + kCopy * copies) / machine.f32_8 / threads;
  return std::max(computing, machine.ReadNs(WeightsBytes(shape)));
}

// Of oneDNN's kernel for windows of any kind. It keeps sums in registers for
// one block of the input, and reads all weights for each row of results, half
// of the time beside products.
double DirectCost(const GatheredShape& shape, int threads,
                  const MachineModel& machine) {
  constexpr double kReached = 0.95;
  constexpr double kSum = 20;  // products that having a sum is worth
  const double products =
      Sums(shape) *
      (GatheredShape::kLanes * static_cast<double>(shape.taps()) + kSum);
  const double bytes = WeightsBytes(shape) / threads;
  const bool stay = bytes <= static_cast<double>(machine.l2.bytes) / 2;
  const auto rows = static_cast<double>(shape.batch * shape.rows.output);
  return products / kReached / machine.f32_8 / threads +
         (stay ? 0 : rows * machine.ReadNs(bytes) / 2);
}

// Whether oneDNN has a kernel for windows of one element that takes this: it
// leaves out pixels between windows only where these end with the input.
bool IsByPixels(const GatheredShape& shape) {
  const auto fits = [](const WindowAxis& axis) {
    return axis.kernel == 1 && axis.pad == 0 &&
           axis.output * axis.stride == axis.input;
  };
  return fits(shape.rows) && fits(shape.columns);
}

// Empty: it is not.
std::string WhySlower(const GatheredShape& shape, const Cut& cut, int threads,
                      const MachineModel& machine) {
  if (IsByPixels(shape)) return "a kernel for windows of one element";
  const double own = OwnCost(shape, cut, threads, machine);
  const double direct = DirectCost(shape, threads, machine);
  // Where less is to be gained, it may as well be slower.
  if (own < 0.7 * direct) return "";
  return absl::StrCat("an estimate of ", std::llround(own), " ns, ",
                      std::llround(direct), " directly");
}

absl::Status CheckFits(const ConvolutionProblem& problem) {
  if (!HasWideVectors()) return Unimplemented("no AVX2");
  // oneDNN's kernels are as fast there, in layouts of their own.
  if (HasAvx512()) return Unimplemented("AVX-512");
  // Sums are made of parts of the channels.
  if (problem.is_quantized) return Unimplemented("sums that are quantized");
  if (problem.source[1] < GatheredShape::kLanes) {
    return Unimplemented("less than a block of channels");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<KernelOffer> TryGathered(const ConvolutionProblem& problem,
                                        const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelProblem(problem, builder));
  DOVETAIL_RETURN_IF_ERROR(CheckFits(problem));
  const std::optional<GatheredShape> shape = ShapeOf(problem);
  if (!shape.has_value()) {
    return Unimplemented("no dense window of up to two axes");
  }
  const int threads = std::max(1, builder.settings().threads);
  const MachineModel& machine = builder.settings().machine_model();
  const Cut cut(*shape, threads, machine);
  KernelSpec spec;
  spec.kernel = "gathered_f32";
  spec.source = spec.result = Layout::kBlocked8;
  spec.packed_floats = GatheredWeightsSize(*shape);
  spec.pack = [shape = *shape](const float* from, float* to, int) {
    PackGatheredWeights(shape, from, to);
  };
  spec.work_items = cut.parts;
  spec.scratch_floats = CeilDivide(cut.ScratchSize(*shape), 16) * 16;
  spec.compute = [shape = *shape, cut](const ConvolutionOperands& operands,
                                       int64_t first, int64_t count,
                                       float* scratch) {
    for (int64_t i = first; i < first + count; ++i) {
      ConvolveGathered(shape, cut.Part(shape, i), operands, scratch);
    }
  };
  KernelOffer offer = OfferKernel(problem, std::move(spec));
  offer.slower = WhySlower(*shape, cut, threads, machine);
  return offer;
}

}  // namespace dovetail::cpu
