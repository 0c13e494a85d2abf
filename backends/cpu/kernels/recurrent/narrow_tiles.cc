#include "dovetail/backends/cpu/kernels/recurrent/narrow_tiles.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/recurrent/row_scale.h"

#if defined(__x86_64__)
#include "dovetail/backends/cpu/kernels/common/bf16_target.h"

#ifndef __clang__
// With these, GCC 12 copies each sum in each turn of a loop, to the stack too.
#pragma GCC optimize("no-tree-ch", "no-tree-coalesce-vars")
#endif

#define DOVETAIL_VNNI \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

namespace dovetail::cpu {
namespace {

constexpr int64_t kNarrowPanel = 32;
constexpr int64_t kPanelUnit = kNarrowPanel * 4;  // bytes
constexpr int64_t kCodesHead = kNarrowPanel * 8;

int32_t WordAt(const uint8_t* from) {
  int32_t word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

// ---- Codes ----

// The greatest magnitude; NaN or infinite where an element is.
DOVETAIL_VNNI float GreatestOf(const float* from, int64_t count) {
  // Bits of floats without sign are in order, NaN above all.
  const __m512i magnitude = _mm512_set1_epi32(0x7fffffff);
  __m512i greatest = _mm512_setzero_si512();
  for (int64_t i = 0; i < count; i += kBf16Lanes) {
    const __m512i bits = _mm512_castps_si512(
        _mm512_maskz_loadu_ps(FirstLanes(count - i), from + i));
    greatest = _mm512_max_epi32(greatest, _mm512_and_si512(bits, magnitude));
  }
  const int32_t bits = _mm512_reduce_max_epi32(greatest);
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

// Sums begin with what takes back that the highest bytes are unsigned.
template <int kPlanes, int kRows, int kVectors>
DOVETAIL_VNNI void CodesTile(const NarrowSizes& sizes, const uint8_t* rows,
                             const uint8_t* panels, float* to,
                             int64_t to_stride) {
  // [row and plane][vector]
  __m512i sums[kRows * kPlanes][kVectors];
  const auto of_vector = [&](int v) {
    return panels + v / 2 * sizes.panel_bytes + v % 2 * (kPanelUnit / 2);
  };
#pragma GCC unroll 6
  for (int i = 0; i < kRows * kPlanes; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = i % kPlanes == 0 ? _mm512_loadu_si512(of_vector(v))
                                    : _mm512_setzero_si512();
    }
  }
  const int64_t panel_bytes = sizes.panel_bytes, row_bytes = sizes.row_bytes;
  const int64_t plane_bytes = sizes.plane_bytes, units = sizes.units;
  const uint8_t* codes = panels + kCodesHead;
  const uint8_t* word = rows + kNarrowRowHead;
  for (int64_t u = 0; u < units; ++u, codes += kPanelUnit, word += 4) {
    __m512i weights[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      weights[v] = _mm512_loadu_si512(codes + v / 2 * panel_bytes +
                                      v % 2 * (kPanelUnit / 2));
    }
#pragma GCC unroll 6
    for (int i = 0; i < kRows * kPlanes; ++i) {
      const __m512i data = _mm512_set1_epi32(
          WordAt(word + i / kPlanes * row_bytes + i % kPlanes * plane_bytes));
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = _mm512_dpbusd_epi32(sums[i][v], data, weights[v]);
      }
    }
  }
#pragma GCC unroll 3
  for (int r = 0; r < kRows; ++r) {
    float scale;
    std::memcpy(&scale, rows + r * row_bytes, sizeof(scale));
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      __m512 sum = _mm512_cvtepi32_ps(sums[r * kPlanes][v]);
#pragma GCC unroll 2
      for (int p = 1; p < kPlanes; ++p) {
        sum = _mm512_fmadd_ps(sum, _mm512_set1_ps(256),
                              _mm512_cvtepi32_ps(sums[r * kPlanes + p][v]));
      }
      const __m512 of_column = _mm512_loadu_ps(of_vector(v) + kPanelUnit);
      _mm512_storeu_ps(
          to + r * to_stride + v * kBf16Lanes,
          _mm512_mul_ps(_mm512_mul_ps(sum, _mm512_set1_ps(scale)), of_column));
    }
  }
}

// ---- bf16 ----

DOVETAIL_BF16 __m512bh Pairs(__m512i bits) {
  return reinterpret_cast<__m512bh>(bits);
}

// A single row adds every other unit to sums of its own: an addition waits for
// the one before.
template <int kRows, int kVectors>
DOVETAIL_BF16 void Bf16Tile(const NarrowSizes& sizes, const uint8_t* rows,
                            const uint8_t* panels, float* to,
                            int64_t to_stride) {
  constexpr int kSets = kRows == 1 ? 2 : 1;
  // [row or set][vector]
  __m512 sums[kRows * kSets][kVectors];
#pragma GCC unroll 6
  for (int i = 0; i < kRows * kSets; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm512_setzero_ps();
  }
  const int64_t panel_bytes = sizes.panel_bytes, row_bytes = sizes.row_bytes;
  // Rows and panels are padded with zeros to an even number of units.
  const int64_t units = sizes.units;
  const uint8_t* weights = panels;
  const uint8_t* word = rows;
  for (int64_t u = 0; u < units; u += kSets) {
#pragma GCC unroll 2
    for (int s = 0; s < kSets; ++s, weights += kPanelUnit, word += 4) {
      __m512bh factors[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        factors[v] = Pairs(_mm512_loadu_si512(weights + v / 2 * panel_bytes +
                                              v % 2 * (kPanelUnit / 2)));
      }
#pragma GCC unroll 6
      for (int r = 0; r < kRows; ++r) {
        const __m512bh data =
            Pairs(_mm512_set1_epi32(WordAt(word + r * row_bytes)));
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          sums[r + s][v] = _mm512_dpbf16_ps(sums[r + s][v], factors[v], data);
        }
      }
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      __m512 sum = sums[r][v];
      if constexpr (kSets == 2) sum = _mm512_add_ps(sum, sums[1][v]);
      _mm512_storeu_ps(to + r * to_stride + v * kBf16Lanes, sum);
    }
  }
}

}  // namespace

DOVETAIL_VNNI void CutRow(const float* from, const NarrowSizes& sizes,
                          int planes, uint8_t* to) {
  // So that roundings do not carry to a bit more.
  const float limit = planes == 2 ? 32767.0f : 8388600.0f;
  const RowScale scale = RowScaleOf(GreatestOf(from, sizes.depth), limit);
  std::memcpy(to, &scale.scale, sizeof(scale.scale));
  const __m512 inverse = _mm512_set1_ps(scale.inverse);
  const __m512i offset = _mm512_set1_epi32(planes == 2 ? 1 << 15 : 1 << 23);
  uint8_t* const plane = to + kNarrowRowHead;
  const int64_t last = planes - 1;
  for (int64_t i = 0; i < sizes.depth; i += kBf16Lanes) {
    const __m512 x =
        _mm512_maskz_loadu_ps(FirstLanes(sizes.depth - i), from + i);
    __m512i number =
        _mm512_add_epi32(_mm512_cvtps_epi32(_mm512_mul_ps(x, inverse)), offset);
    for (int64_t p = last; p >= 0; --p) {
      _mm_storeu_si128(
          reinterpret_cast<__m128i*>(plane + p * sizes.plane_bytes + i),
          _mm512_cvtepi32_epi8(number));
      number = _mm512_srli_epi32(number, 8);
    }
  }
}

// As many rows as leave registers for a pair of panels and a row's word.
NarrowTiles TilesOf(NarrowForm form) {
  switch (form) {
    case NarrowForm::kCodes16:
      return {
          3,
          {{&CodesTile<2, 1, 2>, &CodesTile<2, 2, 2>, &CodesTile<2, 3, 2>},
           {&CodesTile<2, 1, 4>, &CodesTile<2, 2, 4>, &CodesTile<2, 3, 4>}}};
    case NarrowForm::kCodes24:
      return {2,
              {{&CodesTile<3, 1, 2>, &CodesTile<3, 2, 2>},
               {&CodesTile<3, 1, 4>, &CodesTile<3, 2, 4>}}};
    default:
      return {6,
              {{&Bf16Tile<1, 2>, &Bf16Tile<2, 2>, &Bf16Tile<3, 2>,
                &Bf16Tile<4, 2>, &Bf16Tile<5, 2>, &Bf16Tile<6, 2>},
               {&Bf16Tile<1, 4>, &Bf16Tile<2, 4>, &Bf16Tile<3, 4>,
                &Bf16Tile<4, 4>, &Bf16Tile<5, 4>, &Bf16Tile<6, 4>}}};
  }
}

}  // namespace dovetail::cpu

#else

namespace dovetail::cpu {

void CutRow(const float*, const NarrowSizes&, int, uint8_t*) {}
NarrowTiles TilesOf(NarrowForm) { return {}; }

}  // namespace dovetail::cpu

#endif
