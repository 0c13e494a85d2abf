#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/core/reference/common/fused.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/rows.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/quantization/broadcast_to_data.h"
#include "dovetail/core/reference/quantization/quantization.h"

namespace dovetail {
namespace {

// Cost of an element in simple operations.
constexpr int64_t kCost = 8;

// To the nearest integer, ties to the even one, for numbers from 0 to 2^22:
// the addition leaves no bits for a fraction. Unlike std::nearbyint it is not
// a call, and whole rows are vectorised.
struct RoundSmall {
  float operator()(float x) const {
    constexpr float kNoFraction = 3 << 22;
    return (x + kNoFraction) - kNoFraction;
  }
};
constexpr int64_t kMaxSmall = 1 << 22;

struct RoundAny {
  template <typename T>
  T operator()(T x) const {
    return std::nearbyint(x);
  }
};

template <typename T>
struct Ranges {
  T in_low, in_high, out_low, out_high;
};

// The formula of the operation, in this order of steps.
template <typename T>
struct ByFormula {
  ByFormula(const Ranges<T>& ranges, T steps) : ranges(ranges), steps(steps) {}

  template <typename Round>
  [[gnu::always_inline]] T operator()(T x, Round round) const {
    const T step = round((x - ranges.in_low) /
                         (ranges.in_high - ranges.in_low) * steps);
    return step / steps * (ranges.out_high - ranges.out_low) + ranges.out_low;
  }

  Ranges<T> ranges;
  T steps;
};

// The formula with what is the same for many elements turned into a scale and a
// shift before and behind the rounding, for f32: what optimised runtimes
// compute. The order of roundings is theirs too, because networks have values
// so near to a tie that the last bit decides.
struct ByScales {
  ByScales(const Ranges<float>& ranges, float steps)
      : ranges(ranges),
        in_scale(1.0f / (ranges.in_high - ranges.in_low) * steps),
        in_shift(-(ranges.in_low * (1.0f / (ranges.in_high - ranges.in_low)) *
                   steps)),
        out_scale(1.0f / steps * (ranges.out_high - ranges.out_low)) {}

  template <typename Round>
  [[gnu::always_inline]] float operator()(float x, Round round) const {
    const float step = round(__builtin_fmaf(x, in_scale, in_shift));
    return __builtin_fmaf(step, out_scale, ranges.out_low);
  }

  Ranges<float> ranges;
  float in_scale, in_shift, out_scale;
};

template <typename T, typename Formula, typename Round>
[[gnu::always_inline]] inline T Quantize(T x, const Formula& formula,
                                         Round round) {
  const auto& ranges = formula.ranges;
  const T inside = formula(x, round);
  return x <= std::min(ranges.in_low, ranges.in_high)  ? ranges.out_low
         : x > std::max(ranges.in_low, ranges.in_high) ? ranges.out_high
                                                       : inside;
}

// A row with the same ranges throughout. A function of its own, so that the
// compiler sees that nothing but `out` changes.
template <typename T, typename Formula, typename Round>
[[gnu::always_inline]] inline void QuantizeRow(const T* x, T* __restrict out,
                                               int64_t count,
                                               const Formula formula,
                                               Round round) {
  for (int64_t i = 0; i < count; ++i) out[i] = Quantize(x[i], formula, round);
}

#if defined(__x86_64__)
// Faster, with equal results: std::fma is one instruction here.
template <typename Round>
__attribute__((target("avx2,fma"))) void QuantizeRowFused(
    const float* x, float* __restrict out, int64_t count,
    const ByScales& formula, Round round) {
  QuantizeRow(x, out, count, formula, round);
}
#endif

template <typename T, typename Formula, typename Round>
void QuantizeBestRow(const T* x, T* out, int64_t count, const Formula& formula,
                     Round round) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Formula, ByScales>) {
    if (HasFusedMultiplyAdd()) {
      QuantizeRowFused(x, out, count, formula, round);
      return;
    }
  }
#endif
  QuantizeRow(x, out, count, formula, round);
}

template <typename T>
struct Pointers {
  const T* data;
  std::array<const T*, 4> ends;  // in the order of Ranges
  T* out;
};

// All output elements [begin, end).
template <typename Formula, typename T, typename Round>
void QuantizeRows(const BroadcastRows<4>& rows, const Pointers<T>& at, T steps,
                  int64_t begin, int64_t end, Round round) {
  const std::array<int64_t, 4> by = {rows.steps(0), rows.steps(1),
                                     rows.steps(2), rows.steps(3)};
  const bool constant = by == std::array<int64_t, 4>{};
  rows.ForEach(begin, end, [&](const std::array<int64_t, 4>& offsets,
                               int64_t first, int64_t count) {
    const T* const x = at.data + first;
    T* const out = at.out + first;
    const auto formula_at = [&](int64_t i) {
      const auto element = [&](int n) {
        return at.ends[n][offsets[n] + i * by[n]];
      };
      return Formula({element(0), element(1), element(2), element(3)}, steps);
    };
    if (constant) {
      QuantizeBestRow(x, out, count, formula_at(0), round);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        out[i] = Quantize(x[i], formula_at(i), round);
      }
    }
  });
}

template <typename T>
Pointers<T> PointersOf(const KernelContext& context) {
  Pointers<T> at{context.input(0).data<T>(), {},
                 context.output(0).mutable_data<T>()};
  for (int i = 0; i < 4; ++i) at.ends[i] = context.input(i + 1).data<T>();
  return at;
}

BroadcastRows<4> RowsOf(const KernelContext& context) {
  const auto& attributes = context.attributes<FakeQuantizeAttributes>();
  const Shape& shape = context.input(0).shape();
  std::array<ElementStrides, 4> strides;
  for (int i = 0; i < 4; ++i) {
    const Shape& end = context.input(i + 1).shape();
    strides[i] = attributes.auto_broadcast == AutoBroadcast::kPdpd
                     ? BroadcastStrides(end, shape, 0)
                     : BroadcastToDataStrides(end, shape);
  }
  return BroadcastRows<4>(shape, strides);
}

template <typename T, typename Formula>
void QuantizeAll(KernelContext& context) {
  const auto& attributes = context.attributes<FakeQuantizeAttributes>();
  const Pointers<T> at = PointersOf<T>(context);
  const BroadcastRows<4> rows = RowsOf(context);
  const T steps = static_cast<T>(attributes.levels - 1);
  const bool small =
      std::is_same_v<T, float> && attributes.levels <= kMaxSmall;
  ParallelLoop(
      context, context.input(0).element_count(), kCost,
      [&](int64_t begin, int64_t end) {
        if constexpr (std::is_same_v<T, float>) {
          if (small) {
            QuantizeRows<Formula>(rows, at, steps, begin, end, RoundSmall());
            return;
          }
        }
        QuantizeRows<Formula>(rows, at, steps, begin, end, RoundAny());
      });
}

}  // namespace

absl::Status FakeQuantizeKernel(KernelContext& context) {
  if (context.input(0).element_count() == 0) return absl::OkStatus();
  if (context.input(0).type() == ElementType::kF32) {
    QuantizeAll<float, ByScales>(context);
    return absl::OkStatus();
  }
  return WithWideTypes(context, 0, [](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      using T = typename decltype(tag)::type;
      QuantizeAll<T, ByFormula<T>>(wide);
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
