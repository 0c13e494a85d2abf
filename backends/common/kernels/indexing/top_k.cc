#include "dovetail/backends/common/kernels/indexing/top_k.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/indexing/top_k.cc"
#include "dovetail/backends/common/kernels/indexing/top_k_order.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

// Whether any lane may come before `worst`, NaN included.
HWY_INLINE bool AnyBetter(RowVector x, RowVector worst, bool of_max) {
  const RowTag d;
  return of_max ? !hn::AllTrue(d, hn::Le(x, worst))
                : !hn::AllTrue(d, hn::Ge(x, worst));
}

// The best few in their order: most vectors of a row have nothing to add.
void SelectFew(const float* row, int64_t length, int64_t k, bool of_max,
               uint64_t* best) {
  for (int64_t i = 0; i < k; ++i) best[i] = RankOf(row[i], i, of_max);
  std::sort(best, best + k);
  const RowTag d;
  auto worst = hn::Set(d, row[IndexOf(best[k - 1])]);
  const auto add = [&](int64_t i) {
    const uint64_t rank = RankOf(row[i], i, of_max);
    if (rank >= best[k - 1]) return;
    uint64_t* const place = std::lower_bound(best, best + k, rank);
    std::move_backward(place, best + k - 1, best + k);
    *place = rank;
  };
  int64_t i = k;
  for (; i + RowLanes() <= length; i += RowLanes()) {
    if (!AnyBetter(hn::LoadU(d, row + i), worst, of_max)) continue;
    for (int64_t lane = 0; lane < RowLanes(); ++lane) add(i + lane);
    worst = hn::Set(d, row[IndexOf(best[k - 1])]);
  }
  for (; i < length; ++i) add(i);
}

void BestOfUnit(const float* in, int64_t length, int64_t inner, int64_t width,
                bool of_max, float* values, float* indices) {
  const RowTag d;
  std::fill_n(indices, kColumnGroup, 0.0f);
  std::memcpy(values, in, width * sizeof(float));
  for (int64_t k = 1; k < length; ++k) {
    const auto index = hn::Set(d, static_cast<float>(k));
    const float* const row = in + k * inner;
    for (int64_t i = 0; i < width; i += RowLanes()) {
      const auto x = width - i >= RowLanes() ? hn::LoadU(d, row + i)
                                             : LoadFew(row + i, width - i, 0);
      const auto best = hn::Load(d, values + i);
      // Of two NaN the first one stays; for the least, any number is better.
      const auto better =
          of_max ? hn::And(hn::Not(hn::Le(x, best)), hn::Not(hn::IsNaN(best)))
                 : hn::And(hn::Not(hn::Ge(x, best)), hn::Not(hn::IsNaN(x)));
      hn::Store(hn::IfThenElse(better, x, best), d, values + i);
      hn::Store(hn::IfThenElse(better, index, hn::Load(d, indices + i)), d,
                indices + i);
    }
  }
}

}  // namespace

void SelectFewOfRow(const float* row, int64_t length, int64_t k, bool of_max,
                    uint64_t* best) {
  SelectFew(row, length, k, of_max, best);
}

void RunBestOfColumns(const float* in, int64_t length, int64_t inner,
                      bool of_max, const TopKOutput& out, int64_t begin,
                      int64_t end) {
  for (int64_t u = begin; u < end; ++u) {
    const ColumnUnit unit(u, length, inner);
    HWY_ALIGN float values[kColumnGroup] = {};
    HWY_ALIGN float indices[kColumnGroup];
    BestOfUnit(in + unit.offset, length, inner, unit.width, of_max, values,
               indices);
    const int64_t first = unit.outer * inner + unit.column;
    for (int64_t i = 0; i < unit.width; ++i) {
      StoreBest(out, first + i, values[i], static_cast<int64_t>(indices[i]));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {
namespace {

// Up to this many are kept in order while a row is read.
constexpr int64_t kFew = 64;

}  // namespace

HWY_EXPORT(SelectFewOfRow);
HWY_EXPORT(RunBestOfColumns);

int64_t TopKScratch(int64_t length, int64_t k) {
  return k <= kFew ? 0 : length;
}

void TopKRows(const float* in, int64_t length, int64_t k,
              const TopKOptions& options, const TopKOutput& out,
              uint64_t* scratch, int64_t begin, int64_t end) {
  std::array<uint64_t, kFew> few;
  uint64_t* const best = k <= kFew ? few.data() : scratch;
  const auto select_few = HWY_DYNAMIC_DISPATCH(SelectFewOfRow);
  for (int64_t row = begin; row < end; ++row) {
    const float* const numbers = in + row * length;
    if (k <= kFew) {
      select_few(numbers, length, k, options.of_max, best);
    } else {
      for (int64_t i = 0; i < length; ++i) {
        best[i] = RankOf(numbers[i], i, options.of_max);
      }
      if (k < length) std::nth_element(best, best + k, best + length);
      if (!options.sort_by_index) std::sort(best, best + k);
    }
    if (options.sort_by_index) {
      std::sort(best, best + k,
                [](uint64_t a, uint64_t b) { return IndexOf(a) < IndexOf(b); });
    }
    for (int64_t i = 0; i < k; ++i) {
      const int64_t index = IndexOf(best[i]);
      StoreBest(out, row * k + i, numbers[index], index);
    }
  }
}

void BestOfColumns(const float* in, int64_t length, int64_t inner, bool of_max,
                   const TopKOutput& out, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunBestOfColumns)
  (in, length, inner, of_max, out, begin, end);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
