#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/quantization/fake_quantize.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/rows.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/quantization/quantization.h"
#include "dovetail/core/reference/quantization/stretch_strides.h"

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
template <typename T, typename Round>
inline T Quantize(T x, const Ranges<T>& ranges, T steps, Round round) {
  const T step = round((x - ranges.in_low) / (ranges.in_high - ranges.in_low) *
                       steps);
  const T inside = step / steps * (ranges.out_high - ranges.out_low) +
                   ranges.out_low;
  const T below = std::min(ranges.in_low, ranges.in_high);
  const T above = std::max(ranges.in_low, ranges.in_high);
  return x <= below ? ranges.out_low : x > above ? ranges.out_high : inside;
}

// A row with the same ranges throughout. A function of its own, so that the
// compiler sees that nothing but `out` changes.
template <typename T, typename Round>
void QuantizeRow(const T* x, T* __restrict out, int64_t count,
                 const Ranges<T> ranges, T steps, Round round) {
  for (int64_t i = 0; i < count; ++i) {
    out[i] = Quantize(x[i], ranges, steps, round);
  }
}

template <typename T>
struct Pointers {
  const T* data;
  std::array<const T*, 4> ends;  // in the order of Ranges
  T* out;
};

// All output elements [begin, end).
template <typename T, typename Round>
void QuantizeRows(const BroadcastRows<4>& rows, const Pointers<T>& at, T steps,
                  int64_t begin, int64_t end, Round round) {
  const std::array<int64_t, 4> by = {rows.steps(0), rows.steps(1),
                                     rows.steps(2), rows.steps(3)};
  const bool constant = by == std::array<int64_t, 4>{};
  rows.ForEach(begin, end, [&](const std::array<int64_t, 4>& offsets,
                               int64_t first, int64_t count) {
    const T* const x = at.data + first;
    T* const out = at.out + first;
    const auto ranges_at = [&](int64_t i) {
      const auto element = [&](int n) {
        return at.ends[n][offsets[n] + i * by[n]];
      };
      return Ranges<T>{element(0), element(1), element(2), element(3)};
    };
    if (constant) {
      QuantizeRow(x, out, count, ranges_at(0), steps, round);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        out[i] = Quantize(x[i], ranges_at(i), steps, round);
      }
    }
  });
}

template <typename T>
void QuantizeAll(KernelContext& context) {
  const auto& attributes = context.attributes<FakeQuantizeAttributes>();
  const Tensor& data = context.input(0);
  Pointers<T> at{data.data<T>(), {}, context.output(0).mutable_data<T>()};
  std::array<ElementStrides, 4> strides;
  for (int i = 0; i < 4; ++i) {
    const Tensor& end = context.input(i + 1);
    strides[i] = attributes.auto_broadcast == AutoBroadcast::kPdpd
                     ? BroadcastStrides(end.shape(), data.shape(), 0)
                     : StretchStrides(end.shape(), data.shape());
    at.ends[i] = end.data<T>();
  }
  const BroadcastRows<4> rows(data.shape(), strides);
  const T steps = static_cast<T>(attributes.levels - 1);
  const bool small =
      std::is_same_v<T, float> && attributes.levels <= kMaxSmall;
  ParallelLoop(context, data.element_count(), kCost,
               [&](int64_t begin, int64_t end) {
                 if constexpr (std::is_same_v<T, float>) {
                   if (small) {
                     QuantizeRows(rows, at, steps, begin, end, RoundSmall());
                     return;
                   }
                 }
                 QuantizeRows(rows, at, steps, begin, end, RoundAny());
               });
}

}  // namespace

absl::Status FakeQuantizeKernel(KernelContext& context) {
  if (context.input(0).element_count() == 0) return absl::OkStatus();
  return WithWideTypes(context, 0, [](KernelContext& wide) {
    return DispatchWideFloat(wide.input(0).type(), wide, [&](auto tag) {
      QuantizeAll<typename decltype(tag)::type>(wide);
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
