#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_tiles.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/common/isa/isa_limit.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dovetail::cpu {

DotEpilogue::DotEpilogue(const IntegerEpilogue& e, int64_t first,
                         int64_t count)
    : has_grid(e.has_grid),
      has_slope(e.slope != nullptr),
      is_low_of_type(e.output_type != ElementType::kF32),
      grid_low(e.grid.low),
      grid_high(e.grid.high),
      residual_type(e.residual_type),
      output_type(e.output_type) {
  const bool bytes = e.output_type != ElementType::kF32;
  const float least = e.output_type == ElementType::kI8 ? -128 : 0;
  for (int64_t i = 0; i < kDotGroup; ++i) {
    // What is behind the last channel is computed, too, and not stored.
    const int64_t c = first + std::min(i, count - 1);
    const float by = bytes ? e.output_scale[c] : 1;
    const float plus = bytes ? e.output_shift[c] : 0;
    const float sums_by = has_grid ? e.grid.scale : by;
    const float before_slope = has_slope ? 0 : plus;
    slope[i] = has_slope ? e.slope[c] : 1;
    last_shift[i] = has_slope ? plus : 0;
    scale[i] = e.scale[c] * sums_by;
    residual_scale[i] = e.residual_scale * by;
    const float behind = e.residual_shift * by + before_slope;
    shift[i] = e.bias[c] * sums_by + (has_grid ? e.grid.shift : behind);
    step[i] = e.grid.step * by;
    offset[i] = e.grid.offset * by + behind;
    low[i] = e.low * by + plus;
    high[i] = e.high * by + plus;
    if (bytes) {
      low[i] = std::max(low[i], e.output_low);
      high[i] = std::min(high[i], e.output_high);
      is_low_of_type = is_low_of_type && low[i] <= least;
    }
  }
}

#if defined(__x86_64__)

// Highway has no target of just these instructions, which processors have that
// lack the rest of its own.
#pragma GCC push_options
// In headers of GCC, where a value does not matter.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace {

// Of the residual or the output: what is known when code is generated.
enum class Kind { kNone, kF32, kU8, kI8 };

Kind KindOf(ElementType type) {
  return type == ElementType::kU8   ? Kind::kU8
         : type == ElementType::kI8 ? Kind::kI8
                                    : Kind::kF32;
}

// ---- From sums to results: IntegerEpilogue ----

__m512 LoadResidual(Kind kind, const char* from, int64_t channel,
                    __mmask16 mask) {
  if (kind == Kind::kF32) {
    return _mm512_maskz_loadu_ps(mask, from + channel * 4);
  }
  const __m128i bytes = _mm_maskz_loadu_epi8(mask, from + channel);
  return _mm512_cvtepi32_ps(kind == Kind::kU8 ? _mm512_cvtepu8_epi32(bytes)
                                              : _mm512_cvtepi8_epi32(bytes));
}

struct Finish {
  const DotEpilogue& e;
  const Kind residual;
  const bool has_grid, has_slope, is_low_of_type;

  __m512 Compute(__m512i sums, int64_t at, const char* residual_row,
                 __mmask16 mask) const {
    const auto load = [at](const float* from) {
      return _mm512_load_ps(from + at);
    };
    __m512 x = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), load(e.scale),
                               load(e.shift));
    if (has_grid) {
      x = _mm512_min_ps(_mm512_max_ps(x, _mm512_set1_ps(e.grid_low)),
                        _mm512_set1_ps(e.grid_high));
      x = _mm512_roundscale_ps(
          x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      x = _mm512_fmadd_ps(x, load(e.step), load(e.offset));
    }
    if (residual != Kind::kNone) {
      x = _mm512_fmadd_ps(LoadResidual(residual, residual_row, at, mask),
                          load(e.residual_scale), x);
    }
    if (has_slope) {
      const __m512 zero = _mm512_setzero_ps();
      x = _mm512_fmadd_ps(_mm512_min_ps(x, zero), load(e.slope),
                          _mm512_max_ps(x, zero));
      x = _mm512_add_ps(x, load(e.last_shift));
    }
    if (!is_low_of_type) x = _mm512_max_ps(x, load(e.low));
    return _mm512_min_ps(x, load(e.high));
  }
};

// ---- Stores: those with a mask are slow where all is to be stored ----

void StoreFloats(__m512 x, char* to, __mmask16 mask, bool all) {
  if (all) {
    _mm512_storeu_ps(to, x);
  } else {
    _mm512_mask_storeu_ps(to, mask, x);
  }
}

// To the nearest integers, within the limits of the type.
template <Kind kKind>
__m128i Narrow(__m512 x) {
  const __m512i integers = _mm512_cvtps_epi32(x);
  if constexpr (kKind == Kind::kI8) return _mm512_cvtsepi32_epi8(integers);
  return _mm512_cvtusepi32_epi8(
      _mm512_max_epi32(integers, _mm512_setzero_si512()));
}

// The same of four vectors, one after the other.
template <Kind kKind>
__m512i Narrow(const __m512 (&x)[4]) {
  const __m512i ab = _mm512_packs_epi32(_mm512_cvtps_epi32(x[0]),
                                        _mm512_cvtps_epi32(x[1]));
  const __m512i cd = _mm512_packs_epi32(_mm512_cvtps_epi32(x[2]),
                                        _mm512_cvtps_epi32(x[3]));
  // In each quarter there are now 4 channels of each.
  const __m512i mixed = kKind == Kind::kU8 ? _mm512_packus_epi16(ab, cd)
                                           : _mm512_packs_epi16(ab, cd);
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
                                          14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, mixed);
}

template <Kind kKind, int kVectors>
void StoreVectors(const __m512 (&x)[kVectors], char* to, __mmask64 mask,
                  bool all) {
  if constexpr (kKind == Kind::kF32) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      StoreFloats(x[v], to + v * kDotLanes * 4,
                  static_cast<__mmask16>(mask >> (v * kDotLanes)), all);
    }
  } else if constexpr (kVectors == 1) {
    const __m128i bytes = Narrow<kKind>(x[0]);
    if (all) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
    } else {
      _mm_mask_storeu_epi8(to, static_cast<__mmask16>(mask), bytes);
    }
  } else {
    const __m512 four[4] = {x[0], x[1], x[kVectors > 2 ? 2 : 0],
                            x[kVectors > 3 ? 3 : 1]};
    const __m512i bytes = Narrow<kKind>(four);
    if (all && kVectors == 4) {
      _mm512_storeu_si512(to, bytes);
    } else if (all && kVectors == 2) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                          _mm512_castsi512_si256(bytes));
    } else {
      _mm512_mask_storeu_epi8(to, mask, bytes);
    }
  }
}

// ---- Sums ----

// Some pixels of a row.
struct Place {
  const uint8_t* input;
  const char* residual;
  char* output;
};

template <int kVectors, int kPixels, Kind kKind>
__attribute__((noinline)) void RunTile(const DotRow& of_row, const Place& place,
                                       const Finish& by) {
  const DotRow row = of_row;  // which no store can change
  const Finish finish = by;
  const uint8_t* const input = place.input;
  __m512i sums[kPixels][kVectors];
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[p][v] = _mm512_loadu_si512(row.first_sums + v * kDotLanes);
    }
  }
  const int8_t* weights = row.weights;
  const uint8_t* of_taps = input;
  for (int64_t r = 0; r < row.rows; ++r, of_taps += row.row_step) {
    const uint8_t* from = of_taps;
    for (int64_t i = 0; i < row.products; ++i, from += row.product_step) {
      __m512i factors[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        factors[v] = _mm512_loadu_si512(weights + v * kDotLanes * 4);
      }
      weights += kVectors * kDotLanes * 4;
#pragma GCC unroll 8
      for (int p = 0; p < kPixels; ++p) {
        int32_t four;
        std::memcpy(&four, from + p * row.input_step, sizeof(four));
        const __m512i data = _mm512_set1_epi32(four);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          sums[p][v] = _mm512_dpbusd_epi32(sums[p][v], data, factors[v]);
        }
      }
    }
  }
  const bool all = row.channels == kVectors * kDotLanes;
  const __mmask64 mask = row.channels == 64 ? ~__mmask64{0}
                                            : (__mmask64{1} << row.channels) - 1;
  const char* residual = place.residual;
  char* output = place.output;
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
    __m512 results[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      results[v] =
          finish.Compute(sums[p][v], v * kDotLanes, residual,
                         static_cast<__mmask16>(mask >> (v * kDotLanes)));
    }
    StoreVectors<kKind>(results, output, mask, all);
    residual += row.residual_step;
    output += row.output_step;
  }
}

using TileFunction = void (*)(const DotRow&, const Place&, const Finish&);

// As many as keep both units for dot products busy, and leave registers for the
// addresses of so many pixels.
template <int kVectors>
constexpr int kTilePixels = kVectors == 4 ? 5 : kVectors == 3 ? 6 : 8;

struct Functions {
  TileFunction many, one;
  int64_t together;
};

template <int kVectors, Kind kKind>
Functions FunctionsOf() {
  return {&RunTile<kVectors, kTilePixels<kVectors>, kKind>,
          &RunTile<kVectors, 1, kKind>, kTilePixels<kVectors>};
}

template <int kVectors>
Functions FunctionsOf(Kind kind) {
  return kind == Kind::kU8   ? FunctionsOf<kVectors, Kind::kU8>()
         : kind == Kind::kI8 ? FunctionsOf<kVectors, Kind::kI8>()
                             : FunctionsOf<kVectors, Kind::kF32>();
}

Functions FunctionsOf(int64_t vectors, Kind kind) {
  switch (vectors) {
    case 1:
      return FunctionsOf<1>(kind);
    case 2:
      return FunctionsOf<2>(kind);
    case 3:
      return FunctionsOf<3>(kind);
    default:
      return FunctionsOf<4>(kind);
  }
}

}  // namespace

bool HasDotTiles() {
  static const bool has =
      Includes(IsaLimit().value_or(Isa::kAll), Isa::kAvx512Vnni) &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vnni");
  return has;
}

void RunDotRow(const DotRow& row, const DotEpilogue& epilogue) {
  const int64_t vectors = (row.channels + kDotLanes - 1) / kDotLanes;
  const Functions functions =
      FunctionsOf(vectors, KindOf(epilogue.output_type));
  const Finish finish = {epilogue,
                         row.residual == nullptr
                             ? Kind::kNone
                             : KindOf(epilogue.residual_type),
                         epilogue.has_grid, epilogue.has_slope,
                         epilogue.is_low_of_type};
  const auto run = [&](TileFunction function, int64_t x) {
    const Place place = {row.input + x * row.input_step,
                         row.residual + x * row.residual_step,
                         row.output + x * row.output_step};
    function(row, place, finish);
  };
  int64_t x = 0;
  for (; x + functions.together <= row.pixels; x += functions.together) {
    run(functions.many, x);
  }
  if (x == row.pixels) return;
  // Pixels that are computed again would have their residual overwritten.
  if (row.residual == nullptr && row.pixels >= functions.together) {
    run(functions.many, row.pixels - functions.together);
    return;
  }
  for (; x < row.pixels; ++x) run(functions.one, x);
}

#pragma GCC pop_options

#else

bool HasDotTiles() { return false; }
void RunDotRow(const DotRow&, const DotEpilogue&) {}

#endif

}  // namespace dovetail::cpu
