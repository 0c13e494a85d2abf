#include "dovetail/backends/common/kernels/movement/transpose_tile.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/movement/transpose_tile.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#undef DOVETAIL_TILES_HAVE_VECTORS
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 && HWY_MAX_BYTES >= 32
#define DOVETAIL_TILES_HAVE_VECTORS 1
#else
#define DOVETAIL_TILES_HAVE_VECTORS 0
#endif

#if DOVETAIL_TILES_HAVE_VECTORS

// A vector of the elements of a line; what turning long elements in registers
// would save is little.
template <typename T>
using Lines = hn::ScalableTag<T>;
template <typename T>
inline constexpr bool kAreShort = sizeof(T) <= 4;

// A vector of each column of a matrix of so many.
template <int kColumns, class D, typename T>
HWY_INLINE void LoadColumns(D d, const T* from, T* to, int64_t to_stride) {
  hn::Vec<D> v0, v1, v2, v3;
  if constexpr (kColumns == 2) hn::LoadInterleaved2(d, from, v0, v1);
  if constexpr (kColumns == 3) hn::LoadInterleaved3(d, from, v0, v1, v2);
  if constexpr (kColumns == 4) hn::LoadInterleaved4(d, from, v0, v1, v2, v3);
  hn::StoreU(v0, d, to);
  hn::StoreU(v1, d, to + to_stride);
  if constexpr (kColumns > 2) hn::StoreU(v2, d, to + 2 * to_stride);
  if constexpr (kColumns > 3) hn::StoreU(v3, d, to + 3 * to_stride);
}

// The same way back.
template <int kRows, class D, typename T>
HWY_INLINE void StoreRows(D d, const T* from, int64_t from_stride, T* to) {
  const auto row = [=](int i) HWY_ATTR {
    return hn::LoadU(d, from + i * from_stride);
  };
  if constexpr (kRows == 2) hn::StoreInterleaved2(row(0), row(1), d, to);
  if constexpr (kRows == 3) {
    hn::StoreInterleaved3(row(0), row(1), row(2), d, to);
  }
  if constexpr (kRows == 4) {
    hn::StoreInterleaved4(row(0), row(1), row(2), row(3), d, to);
  }
}

#endif

// 16 bytes that are moved as one.
struct Bytes16 {
  uint64_t halves[2];
};

template <typename T>
void TransposeSingly(const T* from, int64_t from_stride, T* to,
                     int64_t to_stride, int64_t rows, int64_t columns) {
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t r = 0; r < rows; ++r) {
      to[c * to_stride + r] = from[r * from_stride + c];
    }
  }
}

// Few columns: along them, so that what is read lies together.
template <typename T, int kColumns>
void TransposeFewColumns(const T* from, int64_t from_stride, T* to,
                         int64_t to_stride, int64_t rows) {
  int64_t r = 0;
#if DOVETAIL_TILES_HAVE_VECTORS
  if constexpr (kAreShort<T>) {
    const Lines<T> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (; from_stride == kColumns && r + lanes <= rows; r += lanes) {
      LoadColumns<kColumns>(d, from + r * kColumns, to + r, to_stride);
    }
  }
#endif
  for (; r < rows; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      to[c * to_stride + r] = from[r * from_stride + c];
    }
  }
}

// Few rows: what is written lies together.
template <typename T, int kRows>
void TransposeFewRows(const T* from, int64_t from_stride, T* to,
                      int64_t to_stride, int64_t columns) {
  int64_t c = 0;
#if DOVETAIL_TILES_HAVE_VECTORS
  if constexpr (kAreShort<T>) {
    const Lines<T> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (; to_stride == kRows && c + lanes <= columns; c += lanes) {
      StoreRows<kRows>(d, from + c, from_stride, to + c * kRows);
    }
  }
#endif
  for (; c < columns; ++c) {
    for (int r = 0; r < kRows; ++r) {
      to[c * to_stride + r] = from[r * from_stride + c];
    }
  }
}

template <typename T>
void TransposeSmall(const T* from, int64_t from_stride, T* to,
                    int64_t to_stride, int64_t rows, int64_t columns) {
  switch (rows) {
    case 2:
      return TransposeFewRows<T, 2>(from, from_stride, to, to_stride, columns);
    case 3:
      return TransposeFewRows<T, 3>(from, from_stride, to, to_stride, columns);
    case 4:
      return TransposeFewRows<T, 4>(from, from_stride, to, to_stride, columns);
    default:
      break;
  }
  switch (columns) {
    case 2:
      return TransposeFewColumns<T, 2>(from, from_stride, to, to_stride, rows);
    case 3:
      return TransposeFewColumns<T, 3>(from, from_stride, to, to_stride, rows);
    case 4:
      return TransposeFewColumns<T, 4>(from, from_stride, to, to_stride, rows);
    default:
      TransposeSingly(from, from_stride, to, to_stride, rows, columns);
  }
}

#if DOVETAIL_TILES_HAVE_VECTORS

// As many columns as 16 bytes have elements, and twice as many rows: the two
// halves of a vector are rows that are kLanes apart. Interleaving the first
// with the second half of the vectors, once per bit of a lane's number, turns
// the matrix in each half.
template <typename T>
struct Block {
  using D = hn::FixedTag<T, 32 / sizeof(T)>;
  using Half = hn::Half<D>;
  static constexpr int64_t kLanes = 16 / sizeof(T);
  static constexpr int64_t kRows = 2 * kLanes;

  static HWY_INLINE void Run(const T* from, int64_t from_stride, T* to,
                             int64_t to_stride) {
    const D d;
    const Half half;
    hn::Vec<D> v[kLanes];
    for (int64_t i = 0; i < kLanes; ++i) {
      v[i] = hn::Combine(d, hn::LoadU(half, from + (i + kLanes) * from_stride),
                         hn::LoadU(half, from + i * from_stride));
    }
    for (int64_t step = 1; step < kLanes; step *= 2) {
      hn::Vec<D> turned[kLanes];
      for (int64_t i = 0; i < kLanes / 2; ++i) {
        turned[2 * i] = hn::InterleaveLower(d, v[i], v[i + kLanes / 2]);
        turned[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kLanes / 2]);
      }
      for (int64_t i = 0; i < kLanes; ++i) v[i] = turned[i];
    }
    for (int64_t i = 0; i < kLanes; ++i) {
      hn::StoreU(v[i], d, to + i * to_stride);
    }
  }
};

// The last block of a line overlaps the one before, where the size is not a
// multiple.
template <typename T>
void TransposeBlocks(const T* from, int64_t from_stride, T* to,
                     int64_t to_stride, int64_t rows, int64_t columns) {
  constexpr int64_t kRows = Block<T>::kRows, kColumns = Block<T>::kLanes;
  if (rows < kRows || columns < kColumns) {
    TransposeSmall(from, from_stride, to, to_stride, rows, columns);
    return;
  }
  for (int64_t r = 0; r < rows; r += kRows) {
    const int64_t row = std::min(r, rows - kRows);
    for (int64_t c = 0; c < columns; c += kColumns) {
      const int64_t column = std::min(c, columns - kColumns);
      Block<T>::Run(from + row * from_stride + column, from_stride,
                    to + column * to_stride + row, to_stride);
    }
  }
}

#else

template <typename T>
void TransposeBlocks(const T* from, int64_t from_stride, T* to,
                     int64_t to_stride, int64_t rows, int64_t columns) {
  TransposeSmall(from, from_stride, to, to_stride, rows, columns);
}

#endif

template <typename T>
void TransposeTile(const void* from, int64_t from_stride, void* to,
                   int64_t to_stride, int64_t rows, int64_t columns) {
  TransposeBlocks(static_cast<const T*>(from), from_stride, static_cast<T*>(to),
                  to_stride, rows, columns);
}

void TransposeTile16(const void* from, int64_t from_stride, void* to,
                     int64_t to_stride, int64_t rows, int64_t columns) {
  TransposeSingly(static_cast<const Bytes16*>(from), from_stride,
                  static_cast<Bytes16*>(to), to_stride, rows, columns);
}

}  // namespace

TransposeTileFn FindTile(int element_size) {
  switch (element_size) {
    case 1:
      return TransposeTile<uint8_t>;
    case 2:
      return TransposeTile<uint16_t>;
    case 4:
      return TransposeTile<uint32_t>;
    case 8:
      return TransposeTile<uint64_t>;
    case 16:
      return TransposeTile16;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(FindTile);

TransposeTileFn FindTransposeTile(int element_size) {
  return HWY_DYNAMIC_DISPATCH(FindTile)(element_size);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
