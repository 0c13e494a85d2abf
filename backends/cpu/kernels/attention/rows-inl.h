// What kernels of attention do to rows of scores and of results.

// Per-target include guard
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ROWS_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ROWS_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

#include "dovetail/backends/common/kernels/simd/math-inl.h"
#include "dovetail/backends/cpu/kernels/attention/problem.h"
#include "dovetail/backends/cpu/kernels/linear/micro_gemm-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

using namespace host::HWY_NAMESPACE;

// The score of what does not count.
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// Scores become scale * score, with the mask; answers the greatest.
class Masker {
 public:
  Masker(const AttentionProblem& problem, int64_t row)
      : scale_(problem.scale), column_stride_(problem.mask.column_stride) {
    if (problem.causal) return;
    const int64_t offset = row * problem.mask.row_stride;
    if (problem.mask.numbers != nullptr) {
      numbers_ = problem.mask.numbers + offset;
    }
    if (problem.mask.flags != nullptr) flags_ = problem.mask.flags + offset;
  }

  // Those that fill up the last vector become minus infinity.
  float Apply(float* scores, int64_t count) const {
    const GemmFloats d;
    constexpr int64_t kLanes = HWY_LANES(float);
    auto greatest = hn::Set(d, kNothing);
    int64_t i = 0;
    if (column_stride_ <= 1) {
      for (; i + kLanes <= count; i += kLanes) {
        const auto x = Masked(hn::LoadU(d, scores + i), i);
        hn::StoreU(x, d, scores + i);
        greatest = hn::Max(greatest, x);
      }
    }
    for (; i < count; i += kLanes) {
      for (int64_t j = i; j < i + kLanes; ++j) {
        scores[j] =
            j < count ? MaskedOne(scores[j], j * column_stride_) : kNothing;
      }
      greatest = hn::Max(greatest, hn::LoadU(d, scores + i));
    }
    return hn::GetLane(hn::MaxOfLanes(d, greatest));
  }

 private:
  GemmVector Masked(GemmVector score, int64_t i) const {
    const GemmFloats d;
    const GemmVector x = hn::Mul(score, hn::Set(d, scale_));
    if (numbers_ != nullptr) {
      return hn::Add(x, column_stride_ == 0 ? hn::Set(d, *numbers_)
                                            : hn::LoadU(d, numbers_ + i));
    }
    if (flags_ == nullptr) return x;
    const hn::Rebind<uint8_t, GemmFloats> bytes;
    const hn::RebindToSigned<GemmFloats> integers;
    const auto flags = column_stride_ == 0 ? hn::Set(bytes, *flags_)
                                           : hn::LoadU(bytes, flags_ + i);
    const auto is_off =
        hn::Eq(hn::PromoteTo(integers, flags), hn::Zero(integers));
    return hn::IfThenElse(hn::RebindMask(d, is_off), hn::Set(d, kNothing), x);
  }

  float MaskedOne(float score, int64_t offset) const {
    const float x = score * scale_;
    if (numbers_ != nullptr) return x + numbers_[offset];
    if (flags_ == nullptr || flags_[offset] != 0) return x;
    return kNothing;
  }

  float scale_;
  int64_t column_stride_;
  const float* numbers_ = nullptr;
  const uint8_t* flags_ = nullptr;
};

// In place.
void Scale(float* out, int64_t count, float factor) {
  const GemmFloats d;
  constexpr int64_t kLanes = HWY_LANES(float);
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    hn::StoreU(hn::Mul(hn::LoadU(d, out + i), hn::Set(d, factor)), d, out + i);
  }
  for (; i < count; ++i) out[i] *= factor;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif
