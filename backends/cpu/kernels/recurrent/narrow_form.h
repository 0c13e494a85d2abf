// In which numbers narrow_product.h multiplies.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_FORM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_FORM_H_

#include <cstdint>

namespace dovetail::cpu {

enum class NarrowForm : uint8_t {
  kNone,  // of f32, which is not computed here: see gemm.h
  // Both factors are rounded to bf16; sums are f32.
  kBf16,
  // The matrix is codes from -128 to 127 with a scale for each column
  // (weight_codes.h). A row is rounded to numbers of 16 or 24 bits with a scale
  // of its own, by its greatest element, and cut into bytes: dot products of
  // bytes add exact sums. 24 bits are as exact as f32. A row with an element
  // that is not finite gives NaN.
  kCodes16,
  kCodes24,
  // Numbers of 23 bits, by products of pairs of 16 bits and of bytes, for AVX2.
  // Rows of more than 512 elements have a bit less for each time they are twice
  // as long.
  kPairs,
  // Numbers of 16 bits, of which rows have a bit less as those above, by
  // products of pairs alone.
  kPairs16,
};

inline constexpr bool IsOfPairs(NarrowForm form) {
  return form == NarrowForm::kPairs || form == NarrowForm::kPairs16;
}

inline constexpr bool IsOfCodes(NarrowForm form) {
  return form != NarrowForm::kNone && form != NarrowForm::kBf16;
}

// A panel has so many columns: as those of gemm.h with AVX-512, or AVX2.
inline constexpr int64_t NarrowPanelWidth(NarrowForm form) {
  return IsOfPairs(form) ? 16 : 32;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_FORM_H_
