// The inner loops of products of matrices of f32: a few rows times a panel of
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

#include <cstdint>

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

// c[r][j] (+)= sum over k of a[r][k] * panel[p][k][j] for kRows rows and
// kPanels panels that are `panel_stride` elements apart; within one, rows are
// `b_stride` apart. c has all columns of the panels.
template <int kRows, int kPanels>
HWY_INLINE void MultiplyTile(int64_t depth, const float* HWY_RESTRICT a,
                             int64_t a_stride, const float* HWY_RESTRICT b,
                             int64_t b_stride, int64_t panel_stride,
                             float* HWY_RESTRICT c, int64_t c_stride,
                             bool accumulate) {
  const GemmFloats d;
  constexpr int64_t kLanes = HWY_LANES(float);
  GemmVector sums[kRows][2 * kPanels];
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int p = 0; p < 2 * kPanels; ++p) sums[r][p] = hn::Zero(d);
  }
  for (int64_t k = 0; k < depth; ++k) {
    GemmVector columns[2 * kPanels];
#pragma GCC unroll 16
    for (int p = 0; p < kPanels; ++p) {
      columns[2 * p] = hn::LoadU(d, b + p * panel_stride);
      columns[2 * p + 1] = hn::LoadU(d, b + p * panel_stride + kLanes);
    }
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) {
      const GemmVector x = hn::Set(d, a[r * a_stride + k]);
#pragma GCC unroll 16
      for (int p = 0; p < 2 * kPanels; ++p) {
        sums[r][p] = hn::MulAdd(x, columns[p], sums[r][p]);
      }
    }
    b += b_stride;
  }
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int p = 0; p < 2 * kPanels; ++p) {
      float* const out = c + r * c_stride + p * kLanes;
      const GemmVector before = accumulate ? hn::LoadU(d, out) : hn::Zero(d);
      hn::StoreU(hn::Add(sums[r][p], before), d, out);
    }
  }
}

// MultiplyTile for up to kTileRows rows and one panel, of which `columns` are
// wanted; `spare` has room for kTileRows rows of a panel.
struct TileArguments {
  int64_t depth;
  const float* a;
  int64_t a_stride;
  const float* b;
  int64_t b_stride;
  float* c;
  int64_t c_stride;
  int64_t columns;
  bool accumulate;
};

template <int kRows>
HWY_INLINE void MultiplyPanel(const TileArguments& t) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  if (t.columns == kWidth) {
    MultiplyTile<kRows, 1>(t.depth, t.a, t.a_stride, t.b, t.b_stride, 0, t.c,
                           t.c_stride, t.accumulate);
    return;
  }
  HWY_ALIGN float spare[kRows * kWidth];
  MultiplyTile<kRows, 1>(t.depth, t.a, t.a_stride, t.b, t.b_stride, 0, spare,
                         kWidth, false);
  for (int r = 0; r < kRows; ++r) {
    float* const out = t.c + r * t.c_stride;
    const float* const sums = spare + r * kWidth;
    for (int64_t j = 0; j < t.columns; ++j) {
      out[j] = t.accumulate ? out[j] + sums[j] : sums[j];
    }
  }
}

// Not inlined: each is a function of some hundred instructions.
template <int kRows>
HWY_NOINLINE void MultiplyPanelFunction(const TileArguments& t) {
  MultiplyPanel<kRows>(t);
}

using TileFunction = void (*)(const TileArguments&);

// By the number of rows, 1 … kTileRows.
HWY_INLINE TileFunction TileFunctionFor(int64_t rows) {
  static constexpr TileFunction kFunctions[] = {
      MultiplyPanelFunction<1>, MultiplyPanelFunction<2>,
      MultiplyPanelFunction<3>, MultiplyPanelFunction<4>,
      MultiplyPanelFunction<5>, MultiplyPanelFunction<6>,
#if HWY_TARGET <= HWY_AVX3
      MultiplyPanelFunction<7>, MultiplyPanelFunction<8>,
      MultiplyPanelFunction<9>, MultiplyPanelFunction<10>,
      MultiplyPanelFunction<11>, MultiplyPanelFunction<12>,
#endif
  };
  return kFunctions[rows - 1];
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_MICRO_GEMM_INL_H_
