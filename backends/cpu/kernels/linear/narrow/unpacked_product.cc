#include "dovetail/backends/cpu/kernels/linear/narrow/unpacked_product.h"

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/linear/narrow/unpacked_product.cc"
#include <algorithm>

#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/cpu/kernels/linear/compressed_forms-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// Tiles are there on processors with AVX-512 alone.
#if HWY_TARGET <= HWY_AVX3

static_assert(kWidth == kBf16Panel);

// Rows of a panel that are unpacked at a time, to a quarter of an L1 cache.
constexpr int64_t kBlockDepth = 192;
static_assert(kBlockDepth % kBf16Depth == 0);

// The bits of both as bf16, the first one in the lower half. Of two equally
// near numbers the greater one.
HWY_INLINE GemmWords RoundedPair(GemmVector first, GemmVector second) {
  const hn::RebindToUnsigned<GemmFloats> d;
  const GemmWords half = hn::Set(d, 0x8000);
  const GemmWords low = hn::Add(hn::BitCast(d, first), half);
  const GemmWords high = hn::Add(hn::BitCast(d, second), half);
  return hn::Or(hn::ShiftRight<16>(low), hn::And(high, hn::Set(d, 0xffff0000)));
}

// What the codes of kinds that are scaled stand for.
template <class Form>
HWY_INLINE GemmVector Element(const Form& form, const Head& head,
                              const uint8_t* unit, int v, int j) {
  const GemmVector x = form.Plain(unit, v, j);
  return Form::kScaled ? hn::Mul(hn::Sub(x, head.zero), head.scale) : x;
}

// `units` units as words of two rows each.
template <class Form>
void UnpackUnits(const Form& form, const Head (&heads)[2], const uint8_t* unit,
                 int64_t units, uint32_t* words) {
  const hn::RebindToUnsigned<GemmFloats> d;
  for (int64_t u = 0; u < units; ++u, unit += Form::kUnitBytes) {
#pragma GCC unroll 8
    for (int j = 0; j < Form::kRows; j += 2, words += kWidth) {
#pragma GCC unroll 2
      for (int v = 0; v < 2; ++v) {
        hn::Store(RoundedPair(Element(form, heads[v], unit, v, j),
                              Element(form, heads[v], unit, v, j + 1)),
                  d, words + v * HWY_LANES(float));
      }
    }
  }
}

// Rows [k, k + depth) of a panel as words of two, with zeros up to a multiple
// of kBf16Depth rows. What pads the last unit is written too, and multiplied by
// zeros.
template <class Form>
void UnpackWords(const Form& form, const CompressedMatrix& b,
                 const uint8_t* panel, int64_t k, int64_t depth,
                 uint32_t* words) {
  uint32_t* const end = words + RoundUp(depth, kBf16Depth) / 2 * kWidth;
  while (depth > 0) {
    const int64_t in_group = k % b.group;
    const int64_t rows = std::min(depth, b.group - in_group);
    const uint8_t* const group = panel + k / b.group * b.GroupBytes();
    const Head heads[2] = {Head(b, group, 0), Head(b, group, 1)};
    const int64_t units = (rows + Form::kRows - 1) / Form::kRows;
    UnpackUnits(
        form, heads,
        group + b.HeadBytes() + in_group / Form::kRows * Form::kUnitBytes,
        units, words);
    words += units * Form::kRows / 2 * kWidth;
    k += rows;
    depth -= rows;
  }
  std::fill(words, std::max(words, end), 0u);
}

// Sums of one panel to c, with what is added to them.
void StoreSums(const UnpackedProblem& problem, int64_t row_begin,
               int64_t row_end, int64_t column, const float* sums) {
  const GemmFloats d;
  for (int v = 0; v < 2; ++v, column += HWY_LANES(float)) {
    const int64_t left = problem.b.columns - column;
    if (left <= 0) return;
    const auto there = hn::FirstN(d, static_cast<size_t>(left));
    const GemmVector bias =
        problem.bias == nullptr
            ? hn::Zero(d)
            : hn::MaskedLoad(there, d, problem.bias + column);
    for (int64_t row = row_begin; row < row_end; ++row) {
      const float* const from =
          sums + (row - row_begin) * kWidth + v * HWY_LANES(float);
      GemmVector sum = hn::Add(hn::Load(d, from), bias);
      if (problem.before.data != nullptr) {
        const float* const before =
            problem.before.data + row * problem.before.row_stride + column;
        sum = hn::Add(sum, hn::MaskedLoad(there, d, before));
      }
      hn::BlendedStore(sum, there, d,
                       problem.c + row * problem.c_stride + column);
    }
  }
}

template <class Form>
void MultiplyPanels(const Form& form, const UnpackedProblem& problem,
                    int64_t row_begin, int64_t row_end, int64_t panel_begin,
                    int64_t panel_end) {
  alignas(64) float sums[kUnpackedRowsAtATime * kWidth];
  alignas(64) uint32_t words[kBlockDepth / 2 * kWidth];
  const CompressedMatrix& b = problem.b;
  Bf16Product product;
  product.rows = row_end - row_begin;
  product.panels = 1;
  product.a_stride = problem.a_stride;
  product.b = words;
  product.c = sums;
  product.c_stride = kWidth;
  for (int64_t panel = panel_begin; panel < panel_end; ++panel) {
    const uint8_t* const packed = problem.packed_b + panel * b.PanelBytes();
    for (int64_t k = 0; k < b.depth; k += kBlockDepth) {
      const int64_t depth = std::min(kBlockDepth, b.depth - k);
      UnpackWords(form, b, packed, k, depth, words);
      product.depth = RoundUp(depth, kBf16Depth);
      product.a = problem.a + row_begin * problem.a_stride + k;
      product.adds = k > 0;
      MultiplyBf16(product);
    }
    StoreSums(problem, row_begin, row_end, panel * kWidth, sums);
  }
}

void Run(const UnpackedProblem& problem, int64_t row_begin, int64_t row_end,
         int64_t panel_begin, int64_t panel_end) {
  WithForm(problem.b, [&](const auto& form) HWY_ATTR {
    MultiplyPanels(form, problem, row_begin, row_end, panel_begin, panel_end);
  });
}

#else

void Run(const UnpackedProblem&, int64_t, int64_t, int64_t, int64_t) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Run);

// Panels of gemm.h are as wide as those of tiles.
bool HasUnpackedProducts() {
  return HasBf16Tiles() && GemmPanelWidth() == kBf16Panel;
}

void RunUnpackedProduct(const UnpackedProblem& problem, int64_t row_begin,
                        int64_t row_end, int64_t panel_begin,
                        int64_t panel_end) {
  HWY_DYNAMIC_DISPATCH(Run)
  (problem, row_begin, row_end, panel_begin, panel_end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
