#include "dovetail/backends/cpu/steps/convolution/kernels/depthwise_tiles_step.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise_tiles.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/steps/common/quantized_data.h"
#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_step.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

DepthwiseTilesShape ShapeOf(const ConvolutionProblem& problem, Layout layout) {
  DepthwiseTilesShape shape;
  shape.batch = problem.source[0];
  shape.channels = problem.groups;
  shape.rows = WindowOf(problem, 0);
  shape.columns = WindowOf(problem, 1);
  shape.is_blocked = layout != Layout::kChannelsLast;
  return shape;
}

absl::Status CheckFits(const ConvolutionProblem& problem) {
  if (problem.transposed || !problem.is_depthwise() ||
      problem.source.rank() > 4) {
    return Unimplemented("no channels by themselves, of one or two axes");
  }
  if (std::any_of(problem.dilations.begin(), problem.dilations.end(),
                  [](int64_t dilation) { return dilation != 0; })) {
    return Unimplemented("a dilated window");
  }
  if (DepthwiseTiles::Lanes() == 0) return Unimplemented("no AVX2");
  return absl::OkStatus();
}

// ---- Where it is faster: cycles of a thread, as fitted to a Zen 5 processor
// with vectors of 8 and of 16 alike ----

// A result takes its copy, its epilogue and its part of a tile's begin and end;
// two vectors of products a cycle are the most there can be.
double OwnCost(const DepthwiseTiles& convolution) {
  constexpr int64_t kLeastSums = 8;  // two a cycle, of four cycles each
  return 17 * convolution.results() +
         convolution.products(kLeastSums) / 2 / 0.85;
}

// Whether oneDNN's own kernel is left out in bf16 (MayNeverEnd of
// onednn/primitive.cc), and general code would compute it.
bool IsByGeneralCode(const ConvolutionProblem& problem, ElementType type) {
  constexpr int64_t kMostColumns = 13;
  return type == ElementType::kBf16 && !IsOfQuantized(problem.data) &&
         HasAvx512() && problem.strides.back() == 1 &&
         problem.weights_dims.back() > kMostColumns;
}

// Of oneDNN's kernels in f32: with AVX-512 faster for windows of one row, with
// AVX2 for those of few columns.
double DirectCost(const DepthwiseTiles& convolution) {
  constexpr int64_t kFewColumns = 9;
  const DepthwiseTilesShape& shape = convolution.shape();
  const bool is_faster = HasAvx512() ? shape.rows.kernel == 1
                                     : shape.columns.kernel <= kFewColumns;
  return convolution.products(1) * (is_faster ? 0.7 : 1.0);
}

// Empty: it is not.
std::string WhySlower(const DepthwiseTiles& convolution,
                      const ConvolutionProblem& problem, ElementType type) {
  if (IsByGeneralCode(problem, type)) return "";
  if (type != ElementType::kF32) {
    return absl::StrCat(ElementTypeName(type), " is asked for");
  }
  const double cost = OwnCost(convolution), direct = DirectCost(convolution);
  if (cost < 0.9 * direct) return "";
  return absl::StrCat("an estimate of ", std::llround(cost), " cycles, ",
                      std::llround(direct), " by oneDNN");
}

absl::Status CheckScratch(const DepthwiseTiles& convolution) {
  constexpr int64_t kMost = 1 << 20;  // floats of a thread
  if (convolution.scratch_floats() <= kMost) return absl::OkStatus();
  return Unimplemented("copies of ", convolution.scratch_floats(), " elements");
}

}  // namespace

absl::StatusOr<KernelOffer> TryDepthwiseTiles(const ConvolutionProblem& problem,
                                              const PlanBuilder& builder) {
  DOVETAIL_RETURN_IF_ERROR(CheckKernelOperands(problem));
  DOVETAIL_RETURN_IF_ERROR(CheckFits(problem));
  const Layout layout = LayoutByLanes(problem, DepthwiseTiles::Lanes());
  const auto convolution = std::make_shared<const DepthwiseTiles>(
      ShapeOf(problem, layout), std::max(1, builder.settings().threads));
  DOVETAIL_RETURN_IF_ERROR(CheckScratch(*convolution));
  KernelSpec spec;
  spec.kernel = "depthwise_tiles_f32";
  spec.source = spec.result = layout;
  spec.packed_floats = convolution->weights_floats();
  spec.pack = [convolution](const float* from, float* to, int) {
    convolution->PackWeights(from, to);
  };
  spec.work_items = convolution->piece_count();
  spec.scratch_floats = convolution->scratch_floats();
  spec.compute = [convolution](const ConvolutionOperands& operands,
                               int64_t first, int64_t count, float* scratch) {
    convolution->Run(operands, first, count, scratch);
  };
  KernelOffer offer = OfferKernel(problem, std::move(spec));
  offer.slower =
      WhySlower(*convolution, problem,
                FasterTypeOf(*problem.node, builder.settings()));
  return offer;
}

}  // namespace dovetail::cpu
