#include "dovetail/backends/cpu/steps/convolution/winograd_step.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd.h"
#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/backends/cpu/onednn/post_ops.h"
#include "dovetail/backends/cpu/steps/convolution/kernel_epilogue.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

// Below, transforming costs more than it saves.
constexpr int64_t kMinChannels = 16;
// So that weights, four times as many as before, are read often enough.
constexpr int64_t kMinTiles = 12;

// Inputs: data, weights, bias, residual.
class WinogradStep : public Step {
 public:
  WinogradStep(const WinogradShape& shape, float low, float high, int threads)
      : shape_(shape), low_(low), high_(high), workers_(threads) {
    const int64_t tiles = WinogradTiles(shape);
    const int64_t parts = DivideUp(tiles, WinogradTilesAtATime(shape));
    step_ = DivideUp(tiles, DivideUp(parts, workers_) * workers_);
  }

  absl::Status Run(const StepRun& run) const override {
    WinogradEpilogue epilogue;
    epilogue.bias = run.input<float>(2);
    epilogue.residual = run.input<float>(3);
    epilogue.low = low_;
    epilogue.high = high_;
    const int64_t tiles = WinogradTiles(shape_);
    const int64_t size = WinogradScratchSize(shape_);
    std::atomic<int64_t> next = 0;
    run.environment->team().Run(workers_, [&](int worker) {
      float* const scratch = static_cast<float*>(run.scratch) + worker * size;
      for (;;) {
        const int64_t first = next.fetch_add(step_, std::memory_order_relaxed);
        if (first >= tiles) break;
        ConvolveWinogradTiles(shape_, first, std::min(step_, tiles - first),
                              run.input<float>(0), run.input<float>(1),
                              epilogue, scratch, run.output<float>());
      }
    });
    return absl::OkStatus();
  }

 private:
  static int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

  const WinogradShape shape_;
  const float low_, high_;
  const int workers_;
  int64_t step_;  // tiles
};

std::optional<WinogradShape> ShapeOf(const ConvolutionProblem& problem) {
  const auto all = [](const dnnl::memory::dims& dims, int64_t value) {
    return std::all_of(dims.begin(), dims.end(),
                       [&](int64_t dim) { return dim == value; });
  };
  const dnnl::memory::dims& weights = problem.weights_dims;
  if (problem.is_integer() || problem.transposed || problem.groups != 1 ||
      weights.size() != 4 || weights[2] != 3 || weights[3] != 3 ||
      !all(problem.strides, 1) || !all(problem.dilations, 0)) {
    return std::nullopt;
  }
  WinogradShape shape;
  shape.batch = problem.source[0];
  shape.inputs = weights[1];
  shape.outputs = weights[0];
  shape.height = problem.source[2];
  shape.width = problem.source[3];
  shape.out_height = problem.result[2];
  shape.out_width = problem.result[3];
  shape.pad_top = problem.pads_begin[0];
  shape.pad_left = problem.pads_begin[1];
  return shape;
}

bool IsFaster(const WinogradShape& shape) {
  // With vectors of 16 a direct convolution is twice as fast.
  return HasWinograd() && !HasAvx512() && shape.inputs >= kMinChannels &&
         shape.outputs >= kMinChannels && WinogradTiles(shape) >= kMinTiles;
}

absl::StatusOr<Operand> PackWeights(const WinogradShape& shape,
                                    const Tensor& weights,
                                    PlanBuilder& builder) {
  const int64_t bytes =
      WinogradWeightsSize(shape) * static_cast<int64_t>(sizeof(float));
  const auto key = reinterpret_cast<uintptr_t>(weights.raw_data());
  DOVETAIL_ASSIGN_OR_RETURN(
      std::shared_ptr<PackedWeights> packed,
      builder.weights().Get(absl::StrCat("winograd:", key), bytes));
  if (!packed->is_filled()) {
    builder.DeferOnce(packed.get(), [packed, weights, shape] {
      TransformWinogradWeights(shape, weights.data<float>(),
                               static_cast<float*>(packed->data()));
      packed->set_filled();
      return absl::OkStatus();
    });
  }
  return builder.Hold(packed, packed->data());
}

absl::Status Emit(const ConvolutionProblem& problem, const WinogradShape& shape,
                  const PostOpChain& chain, const KernelEpilogue& epilogue,
                  const Tensor& weights, PlanBuilder& builder) {
  const Format format = {ElementType::kF32, Layout::kBlocked8};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(problem.data, format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand packed,
                            PackWeights(shape, weights, builder));
  Operand bias, residual;
  if (chain.bias() != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(bias, HoldNumbers(builder, *chain.bias()));
  }
  if (epilogue.residual) {
    DOVETAIL_ASSIGN_OR_RETURN(residual,
                              builder.Read(epilogue.residual, format));
  }
  chain.Fuse(builder);
  const Operand output = builder.Write(chain.result(), format);
  if (epilogue.in_place) {
    builder.AllowInPlace(output, residual, /*alone=*/true);
  }
  const int threads = std::max(1, builder.settings().threads);
  const Operand scratch = builder.Scratch(threads * WinogradScratchSize(shape) *
                                          static_cast<int64_t>(sizeof(float)));
  builder.Add(*problem.node, "winograd_f32",
              std::make_unique<WinogradStep>(shape, epilogue.low, epilogue.high,
                                             threads),
              {data, packed, bias, residual}, {output}, scratch);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitWinograd(const ConvolutionProblem& problem,
                                  PlanBuilder& builder) {
  const auto shape = ShapeOf(problem);
  const Tensor* weights = PlanBuilder::ConstantOf(problem.weights);
  if (!shape.has_value() || weights == nullptr ||
      weights->type() != ElementType::kF32 || !weights->is_contiguous() ||
      builder.settings().compute_type != ElementType::kF32 ||
      !IsFaster(*shape)) {
    return false;
  }
  PostOpChain::Options options;
  options.takes_residual = true;
  PostOpChain chain(builder, PlanBuilder::OutputOf(*problem.node), options);
  for (;; chain.Truncate(chain.length() - 1)) {
    const auto epilogue = KernelEpilogueOf(chain);
    if (!epilogue.has_value() || !epilogue->is_plain()) continue;
    DOVETAIL_RETURN_IF_ERROR(
        Emit(problem, *shape, chain, *epilogue, *weights, builder));
    return true;
  }
}

}  // namespace dovetail::cpu
