#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_epilogue.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;

// Takes post-operations in the order in which kernels compute them.
class Parser {
 public:
  explicit Parser(const PostOpChain& chain)
      : ops_(chain.ops()), channels_(chain.channels()) {
    epilogue_.type = chain.type();
  }

  std::optional<KernelEpilogue> Parse() {
    TakeGrid();
    TakeResidual();
    TakeSlope();
    while (TakeLimits()) {
    }
    if (epilogue_.type != ElementType::kF32) TakeQuantization();
    if (at_ != ops_.size()) return std::nullopt;
    return std::move(epilogue_);
  }

 private:
  const PostOp* Next() const {
    return at_ < ops_.size() ? &ops_[at_] : nullptr;
  }
  // Goes on if the next operation is that one.
  const PostOp* Take(Algorithm algorithm) {
    const PostOp* op = Next();
    if (op == nullptr || op->algorithm != algorithm) return nullptr;
    ++at_;
    return op;
  }

  // FakeQuantize to floats, after limits: round(x * scale + shift) within
  // [0, steps], then its scale and shift.
  void TakeGrid() {
    const size_t begin = at_;
    KernelEpilogue limited = epilogue_;
    std::swap(limited, epilogue_);
    while (TakeLimits()) {
    }
    std::swap(limited, epilogue_);
    const auto grid = GridWithin(limited.low, limited.high);
    const bool is_quantization =
        at_ == ops_.size() && epilogue_.type != ElementType::kF32;
    if (!grid.has_value() || is_quantization) {
      at_ = begin;
      return;
    }
    epilogue_.has_grid = true;
    epilogue_.grid = *grid;
  }

  // Limits of a number are those of what it is rounded to.
  std::optional<IntegerEpilogue::Grid> GridWithin(float low, float high) {
    const PostOp* const scale = Take(Algorithm::eltwise_linear);
    const PostOp* const round = Take(Algorithm::eltwise_round);
    const PostOp* const clip = Take(Algorithm::eltwise_clip);
    if (scale == nullptr || !(scale->alpha > 0) || round == nullptr ||
        clip == nullptr) {
      return std::nullopt;
    }
    IntegerEpilogue::Grid grid;
    grid.scale = scale->alpha;
    grid.shift = scale->beta;
    const auto rounded = [&](float limit) {
      return std::nearbyint(
          std::clamp(limit * grid.scale + grid.shift, clip->alpha, clip->beta));
    };
    grid.low = rounded(low);
    grid.high = rounded(high);
    if (const PostOp* step = Take(Algorithm::eltwise_linear)) {
      grid.step = step->alpha;
      grid.offset = step->beta;
    }
    return grid;
  }

  void TakeResidual() {
    const PostOp* op = Next();
    if (op == nullptr || !op->tensor) return;
    if (op->kind != PostOp::Kind::kSum &&
        op->algorithm != Algorithm::binary_add) {
      return;
    }
    epilogue_.residual = op->tensor;
    epilogue_.residual_scale = op->scale;
    epilogue_.residual_shift = op->shift;
    epilogue_.in_place = op->kind == PostOp::Kind::kSum;
    ++at_;
  }

  void TakeSlope() {
    const PostOp* op = Next();
    if (op == nullptr) return;
    if (op->kind == PostOp::Kind::kPRelu && !op->numbers.empty()) {
      epilogue_.slope = op->numbers;
    } else if (op->algorithm == Algorithm::eltwise_relu && op->alpha != 0) {
      epilogue_.slope.assign(channels_, op->alpha);
    } else {
      return;
    }
    ++at_;
  }

  bool TakeLimits() {
    const PostOp* op = Next();
    if (op == nullptr) return false;
    if (op->algorithm == Algorithm::eltwise_relu && op->alpha == 0) {
      Limit(0, epilogue_.high);
    } else if (op->algorithm == Algorithm::eltwise_clip && op->alpha <= 0 &&
               op->beta >= 0) {
      Limit(op->alpha, op->beta);
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  void Limit(float low, float high) {
    epilogue_.low = std::max(epilogue_.low, low);
    epilogue_.high = std::min(epilogue_.high, high);
  }

  // round(x * scale + shift) within [0, steps], plus a whole number.
  void TakeQuantization() {
    TakeLinear();
    Take(Algorithm::eltwise_round);
    if (const PostOp* clip = Take(Algorithm::eltwise_clip)) {
      epilogue_.lowest = clip->alpha;
      epilogue_.highest = clip->beta;
    }
    const PostOp* whole = Next();
    if (whole == nullptr || whole->alpha != 1 ||
        !Take(Algorithm::eltwise_linear)) {
      return;
    }
    epilogue_.lowest += whole->beta;
    epilogue_.highest += whole->beta;
    for (float& shift : epilogue_.shift) shift += whole->beta;
  }

  // The same numbers for all channels, or each its own.
  void TakeLinear() {
    epilogue_.scale.assign(channels_, 1.0f);
    epilogue_.shift.assign(channels_, 0.0f);
    if (const PostOp* linear = Take(Algorithm::eltwise_linear)) {
      epilogue_.scale.assign(channels_, linear->alpha);
      epilogue_.shift.assign(channels_, linear->beta);
      return;
    }
    TakeNumbers(Algorithm::binary_mul, epilogue_.scale);
    TakeNumbers(Algorithm::binary_add, epilogue_.shift);
  }

  void TakeNumbers(Algorithm algorithm, std::vector<float>& numbers) {
    const PostOp* op = Next();
    if (op == nullptr || op->numbers.empty() || !Take(algorithm)) return;
    numbers = op->numbers;
  }

  const std::vector<PostOp> ops_;
  const int64_t channels_;
  size_t at_ = 0;
  KernelEpilogue epilogue_;
};

}  // namespace

std::optional<KernelEpilogue> KernelEpilogueOf(const PostOpChain& chain) {
  return Parser(chain).Parse();
}

}  // namespace dovetail::cpu
