#include "dovetail/backends/cpu/kernels/normalization/softmax.h"

#include <algorithm>
#include <cmath>

#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/normalization/softmax.cc"
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

// The last numbers of a row, fewer than a vector, which are stored when the next
// row has been loaded: in place, its loads would wait for that store, which they
// do not overlap but for lanes that are not stored.
struct LastNumbers {
  RowVector numbers;
  float* to;
  int64_t count;

  void Store() const {
    if (count > 0) StoreFew(numbers, to, count);
  }
};

// Stores `last`, of the row before, and leaves its own last numbers there.
void SoftmaxRow(const float* in, float* out, int64_t length,
                LastNumbers& last) {
  const RowTag d;
  const float most =
      FoldRow<MaxFold>(in, length, [](auto x) HWY_ATTR { return x; });
  const auto shift = hn::Set(d, most);
  const int64_t lanes = RowLanes(), whole = length / lanes * lanes;
  // Numbers behind the end add nothing.
  RowVector few = hn::Zero(d);
  if (whole < length) {
    few = ExpOfNegative(
        d, hn::Sub(LoadFew(in + whole, length - whole, MaxFold::kNeutral),
                   shift));
  }
  RowVector a = few, b = hn::Zero(d);
  int64_t i = 0;
  for (; i + 2 * lanes <= whole; i += 2 * lanes) {
    const auto x = ExpOfNegative(d, hn::Sub(hn::LoadU(d, in + i), shift));
    const auto y =
        ExpOfNegative(d, hn::Sub(hn::LoadU(d, in + i + lanes), shift));
    hn::StoreU(x, d, out + i);
    hn::StoreU(y, d, out + i + lanes);
    a = hn::Add(a, x);
    b = hn::Add(b, y);
  }
  if (i < whole) {
    const auto x = ExpOfNegative(d, hn::Sub(hn::LoadU(d, in + i), shift));
    hn::StoreU(x, d, out + i);
    b = hn::Add(b, x);
  }
  last.Store();
  const auto scale = hn::Set(d, 1 / FoldLanes<SumFold>(hn::Add(a, b)));
  for (i = 0; i < whole; i += lanes) {
    hn::StoreU(hn::Mul(hn::LoadU(d, out + i), scale), d, out + i);
  }
  last = {hn::Mul(few, scale), out + whole, length - whole};
}

void LogSoftmaxRow(const float* in, float* out, int64_t length) {
  const RowTag d;
  const float most =
      FoldRow<MaxFold>(in, length, [](auto x) HWY_ATTR { return x; });
  const auto shift = hn::Set(d, most);
  const double sum = SumRow(in, length, [=](auto x) HWY_ATTR {
    return ExpOfNegative(d, hn::Sub(x, shift));
  });
  const auto log_sum = hn::Set(d, static_cast<float>(std::log(sum)));
  MapRow(in, out, length, [=](auto x, int64_t) HWY_ATTR {
    return hn::Sub(hn::Sub(x, shift), log_sum);
  });
}

// Rows of at most so many numbers are computed a row in each lane: on its own,
// such a row is shorter than a vector.
constexpr int64_t kShortRow = 16;
constexpr int64_t kShortBlock = kShortRow * HWY_LANES(float);

using IndexTag = hn::RebindToSigned<RowTag>;

// Where the numbers of so many rows as there are lanes, row by row, are in a
// block that has them column by column.
struct ShortRowOrder {
  explicit ShortRowOrder(int64_t length) {
    const int64_t lanes = RowLanes();
    for (int64_t i = 0; i < length * lanes; ++i) {
      at[i] = static_cast<int32_t>(i % length * lanes + i / length);
    }
  }
  HWY_ALIGN int32_t at[kShortBlock];
};

// So many rows as there are lanes. `in` and `out` may be the same.
void SoftmaxBlock(SoftmaxKind kind, const float* in, float* out, int64_t length,
                  const ShortRowOrder& order) {
  const RowTag d;
  const IndexTag di;
  const int64_t lanes = RowLanes();
  const auto starts =
      hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<int32_t>(length)));
  HWY_ALIGN float block[kShortBlock];
  RowVector most = hn::Set(d, MaxFold::kNeutral);
  for (int64_t k = 0; k < length; ++k) {
    const auto x = hn::GatherIndex(d, in + k, starts);
    most = hn::Max(most, x);
    hn::Store(x, d, block + k * lanes);
  }
  const bool is_log = kind == SoftmaxKind::kLogSoftmax;
  RowVector sum = hn::Zero(d);
  for (int64_t k = 0; k < length; ++k) {
    const auto x = hn::Sub(hn::Load(d, block + k * lanes), most);
    const auto e = ExpOfNegative(d, x);
    sum = hn::Add(sum, e);
    hn::Store(is_log ? x : e, d, block + k * lanes);
  }
  const auto by = is_log ? Log(d, sum) : hn::Div(hn::Set(d, 1.0f), sum);
  for (int64_t k = 0; k < length; ++k) {
    const auto x = hn::Load(d, block + k * lanes);
    hn::Store(is_log ? hn::Sub(x, by) : hn::Mul(x, by), d, block + k * lanes);
  }
  for (int64_t i = 0; i < length * lanes; i += lanes) {
    const auto at = hn::Load(di, order.at + i);
    hn::StoreU(hn::GatherIndex(d, block, at), d, out + i);
  }
}

void SoftmaxShortRows(SoftmaxKind kind, const float* in, float* out,
                      int64_t length, int64_t rows) {
  const ShortRowOrder order(length);
  const int64_t lanes = RowLanes();
  int64_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    SoftmaxBlock(kind, in + i * length, out + i * length, length, order);
  }
  if (i == rows) return;
  float few[kShortBlock] = {};
  std::copy(in + i * length, in + rows * length, few);
  SoftmaxBlock(kind, few, few, length, order);
  std::copy(few, few + (rows - i) * length, out + i * length);
}

// Columns of one unit: the greatest, the sum of exponentials, and at last what
// is asked for.
void SoftmaxUnit(SoftmaxKind kind, const float* in, float* out, int64_t length,
                 int64_t inner, int64_t width) {
  const RowTag d;
  HWY_ALIGN float most[host::kColumnGroup];
  HWY_ALIGN float sum[host::kColumnGroup] = {};
  std::memcpy(most, in, width * sizeof(float));
  for (int64_t k = 1; k < length; ++k) {
    MapRow(in + k * inner, most, width, [&](auto x, int64_t i) HWY_ATTR {
      return hn::Max(x, hn::Load(d, most + i));
    });
  }
  const bool is_log = kind == SoftmaxKind::kLogSoftmax;
  for (int64_t k = 0; k < length; ++k) {
    const auto exponential = [&](auto x, int64_t i) HWY_ATTR {
      return ExpOfNegative(d, hn::Sub(x, hn::Load(d, most + i)));
    };
    HWY_ALIGN float e[host::kColumnGroup];
    float* const to = is_log ? e : out + k * inner;
    MapRow(in + k * inner, to, width, exponential);
    MapRow(to, sum, width, [&](auto x, int64_t i) HWY_ATTR {
      return hn::Add(x, hn::Load(d, sum + i));
    });
  }
  if (is_log) {
    MapRow(sum, sum, width,
           [=](auto x, int64_t) HWY_ATTR { return Log(d, x); });
    for (int64_t k = 0; k < length; ++k) {
      MapRow(in + k * inner, out + k * inner, width,
             [&](auto x, int64_t i) HWY_ATTR {
               return hn::Sub(hn::Sub(x, hn::Load(d, most + i)),
                              hn::Load(d, sum + i));
             });
    }
    return;
  }
  MapRow(sum, sum, width, [=](auto x, int64_t) HWY_ATTR {
    return hn::Div(hn::Set(d, 1.0f), x);
  });
  for (int64_t k = 0; k < length; ++k) {
    MapRow(out + k * inner, out + k * inner, width,
           [&](auto x, int64_t i)
               HWY_ATTR { return hn::Mul(x, hn::Load(d, sum + i)); });
  }
}

}  // namespace

void RunSoftmaxRows(SoftmaxKind kind, const float* in, float* out,
                    int64_t length, int64_t begin, int64_t end) {
  if (length <= kShortRow) {
    return SoftmaxShortRows(kind, in + begin * length, out + begin * length,
                            length, end - begin);
  }
  if (kind == SoftmaxKind::kLogSoftmax) {
    for (int64_t i = begin; i < end; ++i) {
      LogSoftmaxRow(in + i * length, out + i * length, length);
    }
    return;
  }
  LastNumbers last = {hn::Zero(RowTag()), out, 0};
  for (int64_t i = begin; i < end; ++i) {
    SoftmaxRow(in + i * length, out + i * length, length, last);
  }
  last.Store();
}

void RunSoftmaxColumns(SoftmaxKind kind, const float* in, float* out,
                       int64_t length, int64_t inner, int64_t begin,
                       int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const host::ColumnUnit unit(i, length, inner);
    SoftmaxUnit(kind, in + unit.offset, out + unit.offset, length, inner,
                unit.width);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunSoftmaxRows);
HWY_EXPORT(RunSoftmaxColumns);

void SoftmaxRows(SoftmaxKind kind, const float* in, float* out, int64_t length,
                 int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunSoftmaxRows)(kind, in, out, length, begin, end);
}

int64_t SoftmaxColumnUnits(int64_t outer, int64_t inner) {
  return host::ColumnUnits(outer, inner);
}

void SoftmaxColumns(SoftmaxKind kind, const float* in, float* out,
                    int64_t length, int64_t inner, int64_t begin, int64_t end) {
  if (inner == 1) return SoftmaxRows(kind, in, out, length, begin, end);
  HWY_DYNAMIC_DISPATCH(RunSoftmaxColumns)
  (kind, in, out, length, inner, begin, end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
