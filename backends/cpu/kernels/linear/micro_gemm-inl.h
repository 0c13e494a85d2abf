// The inner loops of matrix multiplications of f32: a few rows times a panel of
// columns, all sums in registers.
//
// Compiled once per instruction set.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_MICRO_GEMM_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_MICRO_GEMM_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_MICRO_GEMM_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_MICRO_GEMM_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using GemmFloats = hn::ScalableTag<float>;
using GemmVector = hn::Vec<GemmFloats>;

// A panel has two vectors of columns.
HWY_INLINE constexpr int64_t PanelWidth() {
  return 2 * static_cast<int64_t>(HWY_LANES(float));
}
// As many rows as there are registers for sums: 12 of 16, 24 of 32.
constexpr int kTileRows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;

// Memory is fetched ahead of its use by lines, some after as many depths.
constexpr int64_t kLineFloats = 16;
constexpr int kDepthsPerFetch = 8;

// c[r][j] = bias[j] + before[r][j] + sum over k of a[r][k] * b[k][j].
struct TileArguments {
  int64_t depth = 0;
  const float* a = nullptr;
  int64_t a_stride = 0;
  const float* b = nullptr;
  int64_t b_stride = 0;      // from a row of a panel to the next
  int64_t panel_stride = 0;  // from a panel to the next
  float* c = nullptr;
  int64_t c_stride = 0;
  int64_t columns = 0;            // of c, at most those of the panels
  const float* bias = nullptr;    // null: zeros
  const float* before = nullptr;  // null: zeros; may be c
  int64_t before_stride = 0;
  // What will be needed soon, and how many lines of it to fetch each time.
  const float* next = nullptr;
  int64_t next_lines = 0;
};

// Deals out what is worked on next to the tiles of a panel: no hardware
// foresees where a panel begins, and a few lines at a time do not hold up the
// loads.
class PanelPrefetch {
 public:
  PanelPrefetch(int64_t elements, int64_t depth, int64_t tiles)
      : elements_(elements),
        times_(std::max<int64_t>(1, depth / kDepthsPerFetch)) {
    const int64_t lines = (elements + kLineFloats - 1) / kLineFloats;
    const int64_t fetches = times_ * tiles;
    lines_ = std::min((lines + fetches - 1) / fetches, kMaxLines);
  }

  void Begin(const float* panel) {
    next_ = panel;
    end_ = panel + elements_;
  }
  void Deal(TileArguments& tile) {
    tile.next = next_;
    tile.next_lines = next_ < end_ ? lines_ : 0;
    next_ += times_ * lines_ * kLineFloats;
  }

 private:
  static constexpr int64_t kMaxLines = 4;
  const int64_t elements_, times_;
  int64_t lines_;
  const float* next_ = nullptr;
  const float* end_ = nullptr;
};

// Where each third row of a is. The others are once or twice the stride away,
// which are addresses that loads compute themselves.
template <int kRows>
struct RowsOfA {
  static constexpr int kPointers = (kRows + 2) / 3;

  HWY_INLINE RowsOfA(const float* a, int64_t row_stride)
      : stride(Hidden(row_stride)) {
#pragma GCC unroll 8
    for (int i = 0; i < kPointers; ++i) {
      first[i] = Hidden(a + 3 * i * row_stride);
    }
  }
  HWY_INLINE const float* At(int row, int depth) const {
    return first[row / 3] + row % 3 * stride + depth;
  }

  // Or the compiler computes the addresses of all rows and depths once, for
  // which there are too few registers.
  template <typename T>
  static HWY_INLINE T Hidden(T value) {
#if HWY_COMPILER_GCC
    __asm__("" : "+r"(value));
#endif
    return value;
  }

  const float* first[kPointers];
  const int64_t stride;
};

// One depth: a row of the panels times a column of a.
template <int kRows, int kPanels>
HWY_INLINE void MultiplyDepth(const RowsOfA<kRows>& a, int depth,
                              const float* b, int64_t panel_stride,
                              GemmVector (&sums)[kRows][2 * kPanels]) {
  const GemmFloats d;
  constexpr int64_t kLanes = HWY_LANES(float);
  GemmVector columns[2 * kPanels];
#pragma GCC unroll 16
  for (int p = 0; p < kPanels; ++p) {
    columns[2 * p] = hn::LoadU(d, b + p * panel_stride);
    columns[2 * p + 1] = hn::LoadU(d, b + p * panel_stride + kLanes);
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
    const GemmVector x = hn::Set(d, *a.At(r, depth));
#pragma GCC unroll 16
    for (int p = 0; p < 2 * kPanels; ++p) {
      sums[r][p] = hn::MulAdd(x, columns[p], sums[r][p]);
    }
  }
}

// kRows rows of all columns of kPanels panels.
template <int kRows, int kPanels>
HWY_INLINE void MultiplyTile(const TileArguments& arguments) {
  const TileArguments t = arguments;  // as c might overwrite it
  const GemmFloats d;
  constexpr int64_t kLanes = HWY_LANES(float);
  GemmVector sums[kRows][2 * kPanels];
#pragma GCC unroll 16
  for (int p = 0; p < 2 * kPanels; ++p) {
    const GemmVector first =
        t.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, t.bias + p * kLanes);
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) sums[r][p] = first;
  }
  const float* a = t.a;
  const float* b = t.b;
  const float* next = t.next;
  const int64_t fetches = t.depth / kDepthsPerFetch;
  for (int64_t fetch = 0; fetch < fetches; ++fetch) {
    for (int64_t line = 0; line < t.next_lines; ++line) {
      __builtin_prefetch(next, 0, 2);
      next += kLineFloats;
    }
    const RowsOfA<kRows> rows(a, t.a_stride);
    if constexpr (kPanels == 1) {
      // With a loop around each depth, a processor whose other hyperthread is
      // at work waits for instructions: a tenth slower (Zen 3).
#pragma GCC unroll 8
      for (int i = 0; i < kDepthsPerFetch; ++i, b += t.b_stride) {
        MultiplyDepth<kRows, 1>(rows, i, b, 0, sums);
      }
    } else {
      // This waits for memory.
      for (int i = 0; i < kDepthsPerFetch; ++i, b += t.b_stride) {
        MultiplyDepth<kRows, kPanels>(rows, i, b, t.panel_stride, sums);
      }
    }
    a += kDepthsPerFetch;
  }
  const float* const end = t.a + t.depth;
#pragma GCC unroll 1
  for (; a < end; ++a, b += t.b_stride) {
    MultiplyDepth<kRows, kPanels>(RowsOfA<kRows>(a, t.a_stride), 0, b,
                                  t.panel_stride, sums);
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int p = 0; p < 2 * kPanels; ++p) {
      GemmVector sum = sums[r][p];
      if (t.before != nullptr) {
        sum = hn::Add(
            sum, hn::LoadU(d, t.before + r * t.before_stride + p * kLanes));
      }
      hn::StoreU(sum, d, t.c + r * t.c_stride + p * kLanes);
    }
  }
}

// Not inlined: it is a function of some hundred instructions.
template <int kRows>
HWY_NOINLINE void MultiplyWholePanel(const TileArguments& t) {
  MultiplyTile<kRows, 1>(t);
}

// For a panel of which not all columns are wanted.
template <int kRows>
HWY_NOINLINE void MultiplyPartOfPanel(const TileArguments& t) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  HWY_ALIGN float bias[kWidth] = {};
  HWY_ALIGN float before[kRows * kWidth] = {};
  HWY_ALIGN float c[kRows * kWidth];
  const size_t bytes = t.columns * sizeof(float);
  TileArguments part = t;
  if (t.bias != nullptr) {
    std::memcpy(bias, t.bias, bytes);
    part.bias = bias;
  }
  if (t.before != nullptr) {
    for (int r = 0; r < kRows; ++r) {
      std::memcpy(before + r * kWidth, t.before + r * t.before_stride, bytes);
    }
    part.before = before;
    part.before_stride = kWidth;
  }
  part.c = c;
  part.c_stride = kWidth;
  MultiplyWholePanel<kRows>(part);
  for (int r = 0; r < kRows; ++r) {
    std::memcpy(t.c + r * t.c_stride, c + r * kWidth, bytes);
  }
}

template <int kRows>
void MultiplyPanel(const TileArguments& t) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  if (t.columns == kWidth) {
    MultiplyWholePanel<kRows>(t);
  } else {
    MultiplyPartOfPanel<kRows>(t);
  }
}

using TileFunction = void (*)(const TileArguments&);

// One panel, by the number of rows, 1 … kTileRows.
HWY_INLINE TileFunction TileFunctionFor(int64_t rows) {
  static constexpr TileFunction kFunctions[] = {
    MultiplyPanel<1>,
    MultiplyPanel<2>,
    MultiplyPanel<3>,
    MultiplyPanel<4>,
    MultiplyPanel<5>,
    MultiplyPanel<6>,
#if HWY_TARGET <= HWY_AVX3
    MultiplyPanel<7>,
    MultiplyPanel<8>,
    MultiplyPanel<9>,
    MultiplyPanel<10>,
    MultiplyPanel<11>,
    MultiplyPanel<12>,
#endif
  };
  return kFunctions[rows - 1];
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_MICRO_GEMM_INL_H_
