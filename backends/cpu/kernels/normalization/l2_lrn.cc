#include "dovetail/backends/cpu/kernels/normalization/l2_lrn.h"

#include <cmath>

#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/normalization/l2_lrn.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/common/kernels/simd/math-inl.h"
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

using namespace host::HWY_NAMESPACE;
namespace {

void L2Row(const float* in, float* out, int64_t length,
           const L2Options& options) {
  const double sum =
      SumRow(in, length, [](auto x) HWY_ATTR { return hn::Mul(x, x); });
  const double epsilon = options.epsilon;
  const double square =
      options.epsilon_is_added ? sum + epsilon : std::max(sum, epsilon);
  const auto by = hn::Set(RowTag(), static_cast<float>(1 / std::sqrt(square)));
  MapRow(in, out, length,
         [=](auto x, int64_t) HWY_ATTR { return hn::Mul(x, by); });
}

void L2Unit(const float* in, float* out, int64_t length, int64_t inner,
            int64_t width, const L2Options& options) {
  const RowTag d;
  HWY_ALIGN float sum[host::kColumnGroup] = {};
  for (int64_t k = 0; k < length; ++k) {
    MapRow(in + k * inner, sum, width, [&](auto x, int64_t i) HWY_ATTR {
      return hn::MulAdd(x, x, hn::Load(d, sum + i));
    });
  }
  const auto epsilon = hn::Set(d, options.epsilon);
  const bool adds = options.epsilon_is_added;
  MapRow(sum, sum, width, [=](auto x, int64_t) HWY_ATTR {
    const auto square = adds ? hn::Add(x, epsilon) : hn::Max(x, epsilon);
    return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(square));
  });
  for (int64_t k = 0; k < length; ++k) {
    MapRow(in + k * inner, out + k * inner, width,
           [&](auto x, int64_t i)
               HWY_ATTR { return hn::Mul(x, hn::Load(d, sum + i)); });
  }
}

// u^-beta for positive u.
template <class V>
HWY_INLINE V NegativePower(V u, float beta) {
  const RowTag d;
  if (beta == 0.75f) {
    const V root = hn::Sqrt(u);
    return hn::Div(hn::Set(d, 1.0f), hn::Mul(root, hn::Sqrt(root)));
  }
  return Exp(d, hn::Mul(Log(d, u), hn::Set(d, -beta)));
}

void LrnUnit(const float* in, float* out, int64_t channels, int64_t area,
             int64_t width, const LrnOptions& options) {
  const RowTag d;
  const int64_t reach = (options.size - 1) / 2;
  const float alpha = options.alpha / static_cast<float>(options.size);
  HWY_ALIGN float sum[host::kColumnGroup];
  for (int64_t c = 0; c < channels; ++c) {
    std::fill_n(sum, host::kColumnGroup, 0.0f);
    const int64_t last = std::min(channels - 1, c + reach);
    for (int64_t k = std::max<int64_t>(0, c - reach); k <= last; ++k) {
      MapRow(in + k * area, sum, width, [&](auto x, int64_t i) HWY_ATTR {
        return hn::MulAdd(x, x, hn::Load(d, sum + i));
      });
    }
    MapRow(in + c * area, out + c * area, width,
           [&](auto x, int64_t i) HWY_ATTR {
             const auto u = hn::MulAdd(hn::Load(d, sum + i), hn::Set(d, alpha),
                                       hn::Set(d, options.bias));
             return hn::Mul(x, NegativePower(u, options.beta));
           });
  }
}

}  // namespace

void RunL2Rows(const float* in, float* out, int64_t length,
               const L2Options& options, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    L2Row(in + i * length, out + i * length, length, options);
  }
}

void RunL2Columns(const float* in, float* out, int64_t length, int64_t inner,
                  const L2Options& options, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const host::ColumnUnit unit(i, length, inner);
    L2Unit(in + unit.offset, out + unit.offset, length, inner, unit.width,
           options);
  }
}

void RunLrn(const float* in, float* out, int64_t channels, int64_t area,
            const LrnOptions& options, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const host::ColumnUnit unit(i, channels, area);
    LrnUnit(in + unit.offset, out + unit.offset, channels, area, unit.width,
            options);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunL2Rows);
HWY_EXPORT(RunL2Columns);
HWY_EXPORT(RunLrn);

void NormalizeL2Rows(const float* in, float* out, int64_t length,
                     const L2Options& options, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunL2Rows)(in, out, length, options, begin, end);
}

void NormalizeL2Columns(const float* in, float* out, int64_t length,
                        int64_t inner, const L2Options& options, int64_t begin,
                        int64_t end) {
  if (inner == 1) return NormalizeL2Rows(in, out, length, options, begin, end);
  HWY_DYNAMIC_DISPATCH(RunL2Columns)
  (in, out, length, inner, options, begin, end);
}

void LrnAcrossChannels(const float* in, float* out, int64_t channels,
                       int64_t area, const LrnOptions& options, int64_t begin,
                       int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunLrn)(in, out, channels, area, options, begin, end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
