#include "dovetail/backends/common/kernels/reduction/reduce.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/reduction/reduce.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because they are included once per target.
#include "dovetail/backends/common/kernels/simd/math-inl.h"
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

// Rows of up to this many numbers are folded as they lie one behind the other.
constexpr int64_t kShortRow = 16;

// What goes into a fold.
struct Itself {
  HWY_INLINE RowVector operator()(RowVector x) const { return x; }
};
struct Magnitude {
  HWY_INLINE RowVector operator()(RowVector x) const { return hn::Abs(x); }
};
struct Square {
  HWY_INLINE RowVector operator()(RowVector x) const { return hn::Mul(x, x); }
};

template <class Fold, class F>
float ReduceRow(const float* row, int64_t length, F f) {
  if constexpr (std::is_same_v<Fold, SumFold>) {
    return static_cast<float>(SumRow(row, length, f));
  }
  return FoldRow<Fold>(row, length, f);
}

// Rows of `length` <= kShortRow numbers, a row in each lane: on its own, such a
// row is shorter than a vector.
template <class Fold, class F>
void ReduceLanes(const float* in, float* out, int64_t length, int64_t rows,
                 F f) {
  const RowTag d;
  const hn::RebindToSigned<RowTag> integers;
  const int64_t lanes = RowLanes();
  const auto starts =
      hn::Mul(hn::Iota(integers, 0),
              hn::Set(integers, static_cast<int32_t>(length)));
  const auto reduced = [&](const float* from) HWY_ATTR {
    RowVector all = hn::Set(d, Fold::kNeutral);
    for (int64_t k = 0; k < length; ++k) {
      all = Fold::Apply(all, f(hn::GatherIndex(d, from + k, starts)));
    }
    return all;
  };
  int64_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    hn::StoreU(reduced(in + i * length), d, out + i);
  }
  if (i == rows) return;
  float few[kShortRow * HWY_LANES(float)] = {};
  std::copy(in + i * length, in + rows * length, few);
  StoreFew(reduced(few), out + i, rows - i);
}

// Each of `inner` <= kShortRow columns of `length` rows: one vector of sums for
// each vector of a stretch after which the columns begin anew.
template <class Fold, class F>
void ReduceShortRows(const float* in, float* out, int64_t length, int64_t inner,
                     F f) {
  const RowTag d;
  const int64_t lanes = RowLanes();
  const int64_t count = length * inner, stretch = inner * lanes;
  // By chunks, so that the error of sums does not grow with the length.
  constexpr int64_t kStretches = 128;
  const int64_t whole = count / stretch * stretch;
  std::fill_n(out, inner, Fold::kNeutral);
  for (int64_t first = 0; first < whole; first += kStretches * stretch) {
    HWY_ALIGN float sums[kShortRow * HWY_LANES(float)];
    std::fill_n(sums, stretch, Fold::kNeutral);
    const int64_t last = std::min(whole, first + kStretches * stretch);
    for (int64_t i = first; i < last; i += stretch) {
      for (int64_t k = 0; k < stretch; k += lanes) {
        hn::Store(
            Fold::Apply(hn::Load(d, sums + k), f(hn::LoadU(d, in + i + k))), d,
            sums + k);
      }
    }
    for (int64_t k = 0; k < stretch; ++k) {
      out[k % inner] = Fold::Apply(out[k % inner], sums[k]);
    }
  }
  for (int64_t i = whole; i < count; i += inner) {
    MapRow(in + i, out, inner, [&](auto x, int64_t k) HWY_ATTR {
      const auto sum = inner - k >= lanes ? hn::LoadU(d, out + k)
                                          : LoadFew(out + k, inner - k, 0);
      return Fold::Apply(sum, f(x));
    });
  }
}

template <class Fold, class F>
void ReduceColumns(const float* in, float* out, int64_t length, int64_t inner,
                   int64_t width, F f) {
  const RowTag d;
  // Sums of some rows before they are added to the others, so that the error
  // does not grow with the length.
  constexpr int64_t kRows = 64;
  HWY_ALIGN float part[kColumnGroup];
  std::fill_n(out, width, Fold::kNeutral);
  for (int64_t first = 0; first < length; first += kRows) {
    std::fill_n(part, kColumnGroup, Fold::kNeutral);
    const int64_t last = std::min(length, first + kRows);
    for (int64_t k = first; k < last; ++k) {
      MapRow(in + k * inner, part, width, [&](auto x, int64_t i) HWY_ATTR {
        return Fold::Apply(hn::Load(d, part + i), f(x));
      });
    }
    MapRow(out, out, width, [&](auto x, int64_t i) HWY_ATTR {
      return Fold::Apply(x, hn::Load(d, part + i));
    });
  }
}

template <class Fold, class F>
void Reduce(const ReduceStage& stage, const float* in, float* out,
            int64_t begin, int64_t end) {
  const int64_t length = stage.length, inner = stage.inner;
  if (inner == 1 && length <= kShortRow) {
    return ReduceLanes<Fold>(in + begin * length, out + begin, length,
                             end - begin, F());
  }
  for (int64_t i = begin; i < end; ++i) {
    if (inner == 1) {
      out[i] = ReduceRow<Fold>(in + i * length, length, F());
    } else if (inner <= kShortRow) {
      ReduceShortRows<Fold>(in + i * length * inner, out + i * inner, length,
                            inner, F());
    } else {
      const ColumnUnit unit(i, length, inner);
      ReduceColumns<Fold>(in + unit.offset,
                          out + unit.outer * inner + unit.column, length, inner,
                          unit.width, F());
    }
  }
}

}  // namespace

void RunStage(ReduceKind kind, bool first, const ReduceStage& stage,
              const float* in, float* out, int64_t begin, int64_t end) {
  switch (kind) {
    case ReduceKind::kMax:
      return Reduce<MaxFold, Itself>(stage, in, out, begin, end);
    case ReduceKind::kMin:
      return Reduce<MinFold, Itself>(stage, in, out, begin, end);
    case ReduceKind::kProduct:
      return Reduce<ProductFold, Itself>(stage, in, out, begin, end);
    case ReduceKind::kL1:
      if (first) return Reduce<SumFold, Magnitude>(stage, in, out, begin, end);
      break;
    case ReduceKind::kL2:
    case ReduceKind::kSumSquares:
      if (first) return Reduce<SumFold, Square>(stage, in, out, begin, end);
      break;
    default:
      break;
  }
  Reduce<SumFold, Itself>(stage, in, out, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(RunStage);

void RunReduceStage(ReduceKind kind, bool first, const ReduceStage& stage,
                    const float* in, float* out, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunStage)(kind, first, stage, in, out, begin, end);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
