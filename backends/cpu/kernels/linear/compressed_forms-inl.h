// How codes and numbers of compressed matrices are read: as they are loaded, or
// unpacked row by row.
//
// Compiled once per instruction set.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_FORMS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_FORMS_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_FORMS_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_FORMS_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/kernels/linear/micro_gemm-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

constexpr int64_t kWidth = 2 * HWY_LANES(float);  // columns of a panel

using GemmWords = hn::Vec<hn::RebindToUnsigned<GemmFloats>>;

// Vector v of the two of a unit of codes.
HWY_INLINE GemmWords LoadWords(const uint8_t* unit, int v) {
  return hn::LoadU(
      hn::RebindToUnsigned<GemmFloats>(),
      reinterpret_cast<const uint32_t*>(unit) + v * HWY_LANES(float));
}

// Ways to read a unit: Plain is the number of row j and vector v of the panel's
// two, and Number the same times Factor(j).
template <int kBits>
struct Codes {
  explicit Codes(const CompressedMatrix&) {}

  static constexpr int kRows = 32 / kBits;
  static constexpr int64_t kUnitBytes = kWidth * 4;
  static constexpr bool kScaled = true;

  // In place, without moving codes to the lowest bits.
  static HWY_INLINE GemmVector Number(const uint8_t* unit, int v, int j) {
    const hn::RebindToUnsigned<GemmFloats> d;
    const GemmWords words = LoadWords(unit, v);
    const uint32_t mask = ((uint32_t{1} << kBits) - 1) << (kBits * j);
    const auto bits = j + 1 == kRows ? hn::ShiftRight<32 - kBits>(words)
                                     : hn::And(words, hn::Set(d, mask));
    return hn::ConvertTo(GemmFloats(),
                         hn::BitCast(hn::RebindToSigned<GemmFloats>(), bits));
  }
  static constexpr float Factor(int j) {
    return j + 1 == kRows ? 1.0f
                          : static_cast<float>(uint32_t{1} << (kBits * j));
  }

  static HWY_INLINE GemmVector Plain(const uint8_t* unit, int v, int j) {
    const hn::RebindToUnsigned<GemmFloats> d;
    const GemmWords codes = hn::ShiftRightSame(LoadWords(unit, v), kBits * j);
    const auto code = hn::And(codes, hn::Set(d, (uint32_t{1} << kBits) - 1));
    return hn::ConvertTo(GemmFloats(),
                         hn::BitCast(hn::RebindToSigned<GemmFloats>(), code));
  }
};

// Codes of 4 bits that stand for any numbers: the table is in registers where
// there are instructions that look up in these.
struct CodeBook {
  static constexpr int kRows = 8;
  static constexpr int64_t kUnitBytes = kWidth * 4;
  static constexpr bool kScaled = true;

  explicit CodeBook(const CompressedMatrix& b)
      : book(b.book.data()),
        low(hn::LoadU(GemmFloats(), book)),
        high(hn::LoadU(GemmFloats(), book + 16 - HWY_LANES(float))) {}

  HWY_INLINE GemmVector Number(const uint8_t* unit, int v, int j) const {
    const GemmWords words = LoadWords(unit, v);
    const GemmWords codes = hn::ShiftRightSame(words, 4 * j);
#if HWY_TARGET <= HWY_AVX3
    // Of an index, the instruction reads the lowest 4 bits.
    return hn::TableLookupLanes(low, hn::Indices512<float>{codes.raw});
#elif HWY_TARGET == HWY_AVX2
    // And here 3 bits; the fourth one becomes a sign.
    const hn::Indices256<float> index{codes.raw};
    const GemmVector fourth = hn::BitCast(
        GemmFloats(), hn::ShiftLeftSame(words, 4 * (kRows - 1 - j)));
    return hn::IfNegativeThenElse(fourth, hn::TableLookupLanes(high, index),
                                  hn::TableLookupLanes(low, index));
#else
    const hn::RebindToUnsigned<GemmFloats> d;
    return hn::GatherIndex(GemmFloats(), book,
                           hn::BitCast(hn::RebindToSigned<GemmFloats>(),
                                       hn::And(codes, hn::Set(d, 15))));
#endif
  }
  static constexpr float Factor(int) { return 1; }
  HWY_INLINE GemmVector Plain(const uint8_t* unit, int v, int j) const {
    return Number(unit, v, j);
  }

  const float* book;
  GemmVector low, high;  // its first and its last numbers
};

struct F16Weights {
  explicit F16Weights(const CompressedMatrix&) {}

  static constexpr int kRows = 4;
  static constexpr int64_t kUnitBytes = kWidth * kRows * 2;
  static constexpr bool kScaled = false;

  static HWY_INLINE GemmVector Number(const uint8_t* unit, int v, int j) {
    const hn::Rebind<hwy::float16_t, GemmFloats> d;
    const auto* const row =
        reinterpret_cast<const hwy::float16_t*>(unit) + j * kWidth;
    return hn::PromoteTo(GemmFloats(),
                         hn::LoadU(d, row + v * HWY_LANES(float)));
  }
  static constexpr float Factor(int) { return 1; }
  static HWY_INLINE GemmVector Plain(const uint8_t* unit, int v, int j) {
    return Number(unit, v, j);
  }
};

// The scales and zeros of a group, for one of the panel's vectors.
struct Head {
  Head(const CompressedMatrix& b, const uint8_t* group, int v) {
    const GemmFloats d;
    const float* const numbers =
        reinterpret_cast<const float*>(group) + v * HWY_LANES(float);
    scale = b.has_scales() ? hn::LoadU(d, numbers) : hn::Set(d, 1);
    zero = b.has_zeros ? hn::LoadU(d, numbers + kWidth) : hn::Set(d, b.zero);
  }
  GemmVector scale, zero;
};

// Rows [k, k + depth) of a panel as f32. k is a multiple of a unit.
template <class Form>
void Unpack(const Form& form, const CompressedMatrix& b, const uint8_t* panel,
            int64_t k, int64_t depth, float* to) {
  const GemmFloats d;
  while (depth > 0) {
    const int64_t in_group = k % b.group;
    const int64_t rows = std::min(depth, b.group - in_group);
    const uint8_t* const group = panel + k / b.group * b.GroupBytes();
    const uint8_t* unit =
        group + b.HeadBytes() + in_group / Form::kRows * Form::kUnitBytes;
    const Head heads[2] = {Head(b, group, 0), Head(b, group, 1)};
    for (int64_t row = 0; row < rows; row += Form::kRows) {
      // Rows that pad the last unit are written too. Masks and factors have to
      // be constants.
#pragma GCC unroll 16
      for (int j = 0; j < Form::kRows; ++j) {
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
          GemmVector x = form.Number(unit, v, j);
          if (Form::kScaled) {
            const GemmVector factor = hn::Set(d, 1.0f / Form::Factor(j));
            x = hn::Mul(hn::MulSub(x, factor, heads[v].zero), heads[v].scale);
          }
          hn::Store(x, d, to + j * kWidth + v * HWY_LANES(float));
        }
      }
      unit += Form::kUnitBytes;
      to += Form::kRows * kWidth;
    }
    k += rows;
    depth -= rows;
  }
}

// Calls f with the form of b.
template <class F>
void WithForm(const CompressedMatrix& b, F f) {
  switch (b.form) {
    case WeightForm::kBits2:
      return f(Codes<2>(b));
    case WeightForm::kBits4:
      return f(Codes<4>(b));
    case WeightForm::kBits8:
      return f(Codes<8>(b));
    case WeightForm::kCodeBook:
      return f(CodeBook(b));
    case WeightForm::kF16:
      return f(F16Weights(b));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
