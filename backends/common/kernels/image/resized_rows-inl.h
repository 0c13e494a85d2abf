// Rows of an image whose columns are resized, and what is made of them.
// Compiled once per instruction set, as rows-inl.h.
#if defined(DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZED_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZED_ROWS_INL_H_
#undef DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZED_ROWS_INL_H_
#else
#define DOVETAIL_BACKENDS_COMMON_KERNELS_IMAGE_RESIZED_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/common/kernels/image/resize_taps.h"
#include "dovetail/backends/common/kernels/simd/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

// The last few rows that were resized. Where an image gets more rows than it
// has, each of its rows is resized once and then used for several.
class ResizedRows {
 public:
  static constexpr int64_t kMost = 4;
  static constexpr int64_t kNumbers = 32768;  // of all, on the stack

  // Whether rows of the output, of `size` numbers each, are made of few enough
  // rows, near each other, and of fewer than there are of the output.
  static bool Fit(const ResizeTaps& rows, int64_t in_rows, int64_t size) {
    const int64_t kept = rows.count();
    if (rows.output() <= in_rows || kept < 1 || kept > kMost ||
        kept * Stride(size) > kNumbers) {
      return false;
    }
    for (int64_t row = 0; row < rows.output(); ++row) {
      int64_t first = in_rows, last = 0;
      for (int64_t t = 0; t < kept; ++t) {
        if (rows.weights(t)[row] == 0) continue;
        first = std::min<int64_t>(first, rows.indices(t)[row]);
        last = std::max<int64_t>(last, rows.indices(t)[row]);
      }
      if (last - first >= kept) return false;
    }
    return true;
  }

  ResizedRows(int64_t kept, int64_t size) : kept_(kept), stride_(Stride(size)) {
    std::fill_n(held_, kMost, -1);
  }

  // Row `row`, by resize(row, to) unless it is there. It stays until one is
  // asked for that is `kept` or more rows further.
  template <class Resize>
  const float* Get(int64_t row, Resize resize) {
    const int64_t slot = row % kept_;
    float* const numbers = numbers_ + slot * stride_;
    if (held_[slot] != row) resize(row, numbers);
    held_[slot] = row;
    return numbers;
  }

 private:
  // A vector may reach behind a row.
  static int64_t Stride(int64_t size) { return size + RowLanes(); }

  const int64_t kept_, stride_;
  int64_t held_[kMost];
  HWY_ALIGN float numbers_[kNumbers];
};

// Rows with their weights.
struct RowSum {
  int count = 0;
  const float* from[ResizedRows::kMost];
  float weights[ResizedRows::kMost];
};

// A vector may be read behind the end of a row.
template <int kCount>
void AddUp(const RowSum& sum, float* to, int64_t size) {
  const RowTag d;
  MapRow(sum.from[0], to, size, [=](auto first, int64_t i) HWY_ATTR {
    auto all = hn::Mul(first, hn::Set(d, sum.weights[0]));
    for (int t = 1; t < kCount; ++t) {
      all = hn::MulAdd(hn::LoadU(d, sum.from[t] + i),
                       hn::Set(d, sum.weights[t]), all);
    }
    return all;
  });
}

HWY_INLINE void AddUpRows(const RowSum& sum, float* to, int64_t size) {
  switch (sum.count) {
    case 0:
      std::fill_n(to, size, 0.0f);
      break;
    case 1:
      AddUp<1>(sum, to, size);
      break;
    case 2:
      AddUp<2>(sum, to, size);
      break;
    case 3:
      AddUp<3>(sum, to, size);
      break;
    default:
      AddUp<4>(sum, to, size);
  }
}

// Rows [begin, end) of all planes' rows of the output, for taps that
// ResizedRows::Fit. Rows are of `size` numbers; resize(row, to) resizes the
// columns of one of all planes' rows.
template <class Resize>
void ResizeByRows(const ResizeTaps& rows, int64_t in_rows, int64_t size,
                  float* out, int64_t begin, int64_t end, Resize resize) {
  ResizedRows resized(rows.count(), size);
  for (int64_t i = begin; i < end; ++i) {
    const int64_t plane = i / rows.output(), row = i % rows.output();
    RowSum sum;
    for (int64_t t = 0; t < rows.count(); ++t) {
      const float weight = rows.weights(t)[row];
      if (weight == 0) continue;
      const int64_t from = plane * in_rows + rows.indices(t)[row];
      sum.from[sum.count] = resized.Get(from, resize);
      sum.weights[sum.count++] = weight;
    }
    AddUpRows(sum, out + i * size, size);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#endif
