#include "dovetail/backends/common/kernels/reduction/byte_sums.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/reduction/byte_sums.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Integers = hn::ScalableTag<int32_t>;
using IntegerVector = hn::Vec<Integers>;

// So many bytes have a sum that i32 and f32 hold exactly.
constexpr int64_t kExact = 1 << 16;

template <typename T>
HWY_INLINE IntegerVector LoadBytes(const T* from) {
  return hn::PromoteTo(Integers(), hn::LoadU(hn::Rebind<T, Integers>(), from));
}

template <typename T>
float SumRow(const T* row, int64_t length) {
  const Integers d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  float sum = 0;
  for (int64_t begin = 0; begin < length; begin += kExact) {
    const int64_t end = std::min(length, begin + kExact);
    IntegerVector sums = hn::Zero(d);
    int64_t i = begin;
    for (; i + lanes <= end; i += lanes) {
      sums = hn::Add(sums, LoadBytes(row + i));
    }
    int32_t all = hn::GetLane(hn::SumOfLanes(d, sums));
    for (; i < end; ++i) all += row[i];
    sum += static_cast<float>(all);
  }
  return sum;
}

// Adds columns of `length` <= kExact rows to `out`. Four vectors of sums stay
// in registers along all rows.
template <typename T>
void AddColumns(const T* in, float* out, int64_t length, int64_t inner,
                int64_t width) {
  const Integers d;
  const hn::RebindToFloat<Integers> floats;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto add = [&](IntegerVector sums, float* to) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(floats, to), hn::ConvertTo(floats, sums)),
               floats, to);
  };
  int64_t c = 0;
  for (; c + 4 * lanes <= width; c += 4 * lanes) {
    IntegerVector s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    const T* row = in + c;
    for (int64_t k = 0; k < length; ++k, row += inner) {
      s0 = hn::Add(s0, LoadBytes(row));
      s1 = hn::Add(s1, LoadBytes(row + lanes));
      s2 = hn::Add(s2, LoadBytes(row + 2 * lanes));
      s3 = hn::Add(s3, LoadBytes(row + 3 * lanes));
    }
    add(s0, out + c);
    add(s1, out + c + lanes);
    add(s2, out + c + 2 * lanes);
    add(s3, out + c + 3 * lanes);
  }
  for (; c + lanes <= width; c += lanes) {
    IntegerVector sums = hn::Zero(d);
    for (int64_t k = 0; k < length; ++k) {
      sums = hn::Add(sums, LoadBytes(in + k * inner + c));
    }
    add(sums, out + c);
  }
  for (; c < width; ++c) {
    int32_t sum = 0;
    for (int64_t k = 0; k < length; ++k) sum += in[k * inner + c];
    out[c] += static_cast<float>(sum);
  }
}

template <typename T>
void SumStage(const ReduceStage& stage, const T* in, float* out, int64_t begin,
              int64_t end) {
  const int64_t length = stage.length, inner = stage.inner;
  for (int64_t i = begin; i < end; ++i) {
    if (inner == 1) {
      out[i] = SumRow(in + i * length, length);
      continue;
    }
    const ColumnUnit unit(i, length, inner);
    float* const to = out + unit.outer * inner + unit.column;
    std::fill_n(to, unit.width, 0.0f);
    for (int64_t k = 0; k < length; k += kExact) {
      AddColumns(in + unit.offset + k * inner, to, std::min(kExact, length - k),
                 inner, unit.width);
    }
  }
}

}  // namespace

void SumU8(const ReduceStage& stage, const uint8_t* in, float* out,
           int64_t begin, int64_t end) {
  SumStage(stage, in, out, begin, end);
}

void SumI8(const ReduceStage& stage, const int8_t* in, float* out,
           int64_t begin, int64_t end) {
  SumStage(stage, in, out, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(SumU8);
HWY_EXPORT(SumI8);

void RunByteSums(const ReduceStage& stage, const uint8_t* in, float* out,
                 int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(SumU8)(stage, in, out, begin, end);
}

void RunByteSums(const ReduceStage& stage, const int8_t* in, float* out,
                 int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(SumI8)(stage, in, out, begin, end);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
