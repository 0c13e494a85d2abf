#include "dovetail/backends/common/kernels/indexing/top_k.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "dovetail/backends/common/kernels/movement/transpose_tile.h"
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

// Numbers of kColumnGroup rows that are transposed at a time: 16 KiB.
constexpr int64_t kTransposedLength = 32;

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

// The best of each column so far. Lanes behind the last column hold anything.
struct BestOfUnit {
  HWY_ALIGN float values[kColumnGroup] = {};
  HWY_ALIGN float indices[kColumnGroup] = {};  // exact below 2^24
};

// Numbers [begin, end) of each column are at in[0], in[stride] …
void TakeBetter(const float* in, int64_t stride, int64_t begin, int64_t end,
                int64_t width, bool of_max, BestOfUnit& best) {
  const RowTag d;
  for (int64_t k = begin; k < end; ++k, in += stride) {
    const auto index = hn::Set(d, static_cast<float>(k));
    for (int64_t i = 0; i < width; i += RowLanes()) {
      const auto x = width - i >= RowLanes() ? hn::LoadU(d, in + i)
                                             : LoadFew(in + i, width - i, 0);
      const auto value = hn::Load(d, best.values + i);
      // Of two NaN the first one stays; for the least, any number is better.
      const auto better =
          of_max ? hn::And(hn::Not(hn::Le(x, value)), hn::Not(hn::IsNaN(value)))
                 : hn::And(hn::Not(hn::Ge(x, value)), hn::Not(hn::IsNaN(x)));
      hn::Store(hn::IfThenElse(better, x, value), d, best.values + i);
      hn::Store(hn::IfThenElse(better, index, hn::Load(d, best.indices + i)), d,
                best.indices + i);
    }
  }
}

void StoreUnit(const BestOfUnit& best, int64_t first, int64_t width,
               const TopKOutput& out) {
  for (int64_t i = 0; i < width; ++i) {
    StoreBest(out, first + i, best.values[i],
              static_cast<int64_t>(best.indices[i]));
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
    const float* const first = in + unit.offset;
    BestOfUnit best;
    std::memcpy(best.values, first, unit.width * sizeof(float));
    TakeBetter(first + inner, inner, 1, length, unit.width, of_max, best);
    StoreUnit(best, unit.outer * inner + unit.column, unit.width, out);
  }
}

void RunBestOfRows(const float* in, int64_t length, bool of_max,
                   const TopKOutput& out, int64_t begin, int64_t end) {
  const TransposeTileFn transpose = FindTransposeTile(sizeof(float));
  HWY_ALIGN float columns[kTransposedLength * kColumnGroup];
  for (int64_t row = begin; row < end; row += kColumnGroup) {
    const int64_t width = std::min(kColumnGroup, end - row);
    const float* const first = in + row * length;
    BestOfUnit best;
    for (int64_t k = 0; k < length; k += kTransposedLength) {
      const int64_t count = std::min(kTransposedLength, length - k);
      transpose(first + k, length, columns, kColumnGroup, width, count);
      if (k == 0) std::memcpy(best.values, columns, width * sizeof(float));
      const int64_t known = k == 0 ? 1 : 0;
      TakeBetter(columns + known * kColumnGroup, kColumnGroup, k + known,
                 k + count, width, of_max, best);
    }
    StoreUnit(best, row, width, out);
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
HWY_EXPORT(RunBestOfRows);

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

void BestOfRows(const float* in, int64_t length, bool of_max,
                const TopKOutput& out, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunBestOfRows)(in, length, of_max, out, begin, end);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
