#include "dovetail/backends/cpu/kernels/recurrent/narrow_pairs.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "dovetail/backends/cpu/kernels/recurrent/row_scale.h"

#if defined(__x86_64__)
#include <immintrin.h>

#ifndef __clang__
// As in narrow_tiles.cc: else GCC 12 copies sums in each turn.
#pragma GCC optimize("no-tree-ch", "no-tree-coalesce-vars")
#endif

#define DOVETAIL_AVX2 __attribute__((target("avx2,fma")))

namespace dovetail::cpu {
namespace {

constexpr int64_t kLanes = 8;
constexpr int64_t kUnit = kPairsPanel * 4;  // bytes
constexpr int kLowBits = 7;
constexpr int kLowNumbers = 1 << kLowBits;

// The first `count` of 8 floats; the others are zeros.
DOVETAIL_AVX2 __m256 LoadFirst(const float* from, int64_t count) {
  if (count >= kLanes) return _mm256_loadu_ps(from);
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_maskload_ps(
      from,
      _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes));
}

// The greatest magnitude; NaN or infinite where an element is.
DOVETAIL_AVX2 float GreatestOf(const float* from, int64_t count) {
  // Bits of floats without sign are in order, NaN above all.
  const __m256i magnitude = _mm256_set1_epi32(0x7fffffff);
  __m256i greatest = _mm256_setzero_si256();
  for (int64_t i = 0; i < count; i += kLanes) {
    const __m256i bits = _mm256_castps_si256(LoadFirst(from + i, count - i));
    greatest = _mm256_max_epi32(greatest, _mm256_and_si256(bits, magnitude));
  }
  alignas(32) int32_t all[kLanes];
  _mm256_store_si256(reinterpret_cast<__m256i*>(all), greatest);
  const int32_t bits = *std::max_element(all, all + kLanes);
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

DOVETAIL_AVX2 __m256i WordAt(const uint8_t* from) {
  int32_t word;
  std::memcpy(&word, from, sizeof(word));
  return _mm256_set1_epi32(word);
}

DOVETAIL_AVX2 __m256i AddPairs(__m256i sum, __m256i codes, __m256i data) {
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(codes, data));
  // Or the compiler adds products to each other before it adds them to sums,
  // for which there are too few registers.
  __asm__("" : "+x"(sum));
  return sum;
}

// Numbers of 7 bits times codes: two products do not reach 16 bits.
DOVETAIL_AVX2 __m256i AddBytes(__m256i sum, __m256i codes, __m256i data) {
  return AddPairs(sum, _mm256_maddubs_epi16(data, codes), _mm256_set1_epi16(1));
}

// kRows rows times kVectors of 8 columns.
template <int kRows, int kVectors, bool kHasLow>
DOVETAIL_AVX2 void Tile(const NarrowSizes& sizes, const uint8_t* rows,
                        const uint8_t* panels, float* to, int64_t to_stride) {
  __m256i high[kRows][kVectors], low[kRows][kVectors];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      high[r][v] = low[r][v] = _mm256_setzero_si256();
    }
  }
  const int64_t panel_bytes = sizes.panel_bytes;
  const uint8_t* codes = panels + kPairsHead;
  const uint8_t* highs = rows + kNarrowRowHead;
  const uint8_t* lows = highs + sizes.plane_bytes;
  for (int64_t u = 0; u < sizes.units; ++u) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(
          codes + v / 2 * panel_bytes + v % 2 * (kUnit / 2)));
      const __m256i a = _mm256_srai_epi16(_mm256_slli_epi16(both, 8), 8);
      const __m256i b = _mm256_srai_epi16(both, 8);
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        const uint8_t* const pairs = highs + r * sizes.row_bytes;
        high[r][v] = AddPairs(AddPairs(high[r][v], a, WordAt(pairs)), b,
                              WordAt(pairs + 4));
        if constexpr (kHasLow) {
          low[r][v] =
              AddBytes(low[r][v], both, WordAt(lows + r * sizes.row_bytes));
        }
      }
    }
    codes += kUnit;
    highs += 8;
    lows += 4;
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    float scale;
    std::memcpy(&scale, rows + r * sizes.row_bytes, sizeof(scale));
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      __m256 sum = _mm256_cvtepi32_ps(high[r][v]);
      if constexpr (kHasLow) {
        sum = _mm256_fmadd_ps(sum, _mm256_set1_ps(kLowNumbers),
                              _mm256_cvtepi32_ps(low[r][v]));
      }
      const __m256 of_column = _mm256_loadu_ps(reinterpret_cast<const float*>(
          panels + v / 2 * panel_bytes + v % 2 * (kPairsHead / 2)));
      _mm256_storeu_ps(
          to + r * to_stride + v * kLanes,
          _mm256_mul_ps(_mm256_mul_ps(sum, _mm256_set1_ps(scale)), of_column));
    }
  }
}

// Rows times two panels, for whose sums together there are too few registers.
template <int kRows, bool kHasLow>
DOVETAIL_AVX2 void TwoTiles(const NarrowSizes& sizes, const uint8_t* rows,
                            const uint8_t* panels, float* to,
                            int64_t to_stride) {
  Tile<kRows, 2, kHasLow>(sizes, rows, panels, to, to_stride);
  Tile<kRows, 2, kHasLow>(sizes, rows, panels + sizes.panel_bytes,
                          to + kPairsPanel, to_stride);
}

// The greatest high part: of 16 bits, and no sum of products is beyond 32.
float HighLimit(int64_t depth) {
  const int64_t of_sums = std::numeric_limits<int32_t>::max() / (128 * depth);
  return static_cast<float>(std::min<int64_t>(32767, of_sums) - 1);
}

DOVETAIL_AVX2 void StoreHalf(__m256i parts, uint8_t* to) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_castsi256_si128(parts));
}

}  // namespace

DOVETAIL_AVX2 void CutRowForPairs(const float* from, const NarrowSizes& sizes,
                                  bool has_low, uint8_t* to) {
  const float limit =
      HighLimit(sizes.depth) * static_cast<float>(has_low ? kLowNumbers : 1);
  const RowScale scale = RowScaleOf(GreatestOf(from, sizes.depth), limit);
  std::memcpy(to, &scale.scale, sizeof(scale.scale));
  const __m256 inverse = _mm256_set1_ps(scale.inverse);
  uint8_t* const highs = to + kNarrowRowHead;
  uint8_t* const lows = highs + sizes.plane_bytes;
  for (int64_t i = 0; i < sizes.depth; i += kLanes) {
    const __m256i number = _mm256_cvtps_epi32(
        _mm256_mul_ps(LoadFirst(from + i, sizes.depth - i), inverse));
    const __m256i high = has_low ? _mm256_srai_epi32(number, kLowBits) : number;
    const __m256i low =
        _mm256_and_si256(number, _mm256_set1_epi32(kLowNumbers - 1));
    const __m256i mixed = _mm256_packs_epi32(high, low);
    const __m256i parts = _mm256_permute4x64_epi64(mixed, 0xd8);
    StoreHalf(parts, highs + 2 * i);
    if (!has_low) continue;
    // Two words of bytes, in the order of codes: kPlaceInWord.
    const __m128i order = _mm_setr_epi8(0, 4, 2, 6, 8, 12, 10, 14, -1, -1, -1,
                                        -1, -1, -1, -1, -1);
    _mm_storel_epi64(
        reinterpret_cast<__m128i*>(lows + i),
        _mm_shuffle_epi8(_mm256_extracti128_si256(parts, 1), order));
  }
}

NarrowTiles PairsTiles(NarrowForm form) {
  if (form == NarrowForm::kPairs) {
    return {2,
            {{&Tile<1, 2, true>, &Tile<2, 2, true>},
             {&Tile<1, 4, true>, &TwoTiles<2, true>}}};
  }
  return {4,
          {{&Tile<1, 2, false>, &Tile<2, 2, false>, &Tile<3, 2, false>,
            &Tile<4, 2, false>},
           {&Tile<1, 4, false>, &Tile<2, 4, false>, &TwoTiles<3, false>,
            &TwoTiles<4, false>}}};
}

}  // namespace dovetail::cpu

#else

namespace dovetail::cpu {

void CutRowForPairs(const float*, const NarrowSizes&, bool, uint8_t*) {}
NarrowTiles PairsTiles(NarrowForm) { return {}; }

}  // namespace dovetail::cpu

#endif
