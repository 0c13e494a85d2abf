#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_tiles.h"

#include <cstring>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_finish-inl.h"

namespace dovetail::cpu {

#if defined(__x86_64__)

#pragma GCC push_options
#ifndef __clang__
// With these, GCC 12 copies each sum in each turn of a loop, to the stack too.
#pragma GCC optimize("no-tree-ch", "no-tree-coalesce-vars")
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace {

// ---- Stores ----

template <int kVectors>
void StoreFloats(const __m512 (&x)[kVectors], char* to, __mmask64 mask,
                 bool all) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    StoreFloats(x[v], to + v * kDotLanes * 4,
                static_cast<__mmask16>(mask >> (v * kDotLanes)), all);
  }
}

template <int kVectors>
void StoreBytes(const __m512 (&x)[kVectors], __m512i flips, char* to,
                __mmask64 mask, bool all) {
  const __m512i mixed = Narrow(x[0], x[kVectors > 1 ? 1 : 0],
                               x[kVectors > 2 ? 2 : 0],
                               x[kVectors > 3 ? 3 : kVectors > 1 ? 1 : 0]);
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
                                          14, 3, 7, 11, 15);
  const __m512i bytes =
      _mm512_xor_si512(_mm512_permutexvar_epi32(order, mixed), flips);
  if (!all || kVectors == 3) {
    _mm512_mask_storeu_epi8(to, mask, bytes);
  } else if constexpr (kVectors == 4) {
    _mm512_storeu_si512(to, bytes);
  } else if constexpr (kVectors == 2) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm512_castsi512_si256(bytes));
  } else {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm512_castsi512_si128(bytes));
  }
}

// ---- Sums ----

// Some pixels of a row.
struct Place {
  const uint8_t* input;
  const char* residual;
  char* output;
};

template <int kVectors, int kPixels, bool kPlain>
__attribute__((noinline)) void RunTile(const DotRow& of_row, const Place& place,
                                       const DotEpilogue& epilogue) {
  const DotRow row = of_row;  // which no store can change
  const DotForm form = epilogue.form;
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
  const __mmask64 mask = FirstLanes(row.channels);
  const __m512i flips = _mm512_set1_epi8(static_cast<char>(form.flip));
  const char* residual = kPlain ? nullptr : place.residual;
  char* output = place.output;
#pragma GCC unroll 8
  for (int p = 0; p < kPixels; ++p) {
    __m512 results[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      results[v] =
          Finish<kPlain>(epilogue, form, sums[p][v], v * kDotLanes, residual,
                         static_cast<__mmask16>(mask >> (v * kDotLanes)));
    }
    if (!kPlain && form.activation != IntegerEpilogue::Activation::kNone) {
      FinishActivation(epilogue, results);
    }
    if (!kPlain && form.output_type == ElementType::kF32) {
      StoreFloats(results, output, mask, all);
    } else {
      StoreBytes(results, flips, output, mask, all);
    }
    if (residual != nullptr) residual += row.residual_step;
    output += row.output_step;
  }
}

using TileFunction = void (*)(const DotRow&, const Place&, const DotEpilogue&);

// As many as keep both units for dot products busy, and leave registers for the
// addresses of so many pixels.
template <int kVectors>
constexpr int kTilePixels = kVectors == 4 ? 5 : kVectors == 3 ? 6 : 8;

// Single pixels are few: one function does for plain ones, too.
struct Functions {
  TileFunction many, one;
  int64_t together;
};

template <int kVectors>
Functions FunctionsOf(bool plain) {
  constexpr int kPixels = kTilePixels<kVectors>;
  return {plain ? &RunTile<kVectors, kPixels, true>
                : &RunTile<kVectors, kPixels, false>,
          &RunTile<kVectors, 1, false>, kPixels};
}

Functions FunctionsOf(int64_t vectors, bool plain) {
  switch (vectors) {
    case 1:
      return FunctionsOf<1>(plain);
    case 2:
      return FunctionsOf<2>(plain);
    case 3:
      return FunctionsOf<3>(plain);
    default:
      return FunctionsOf<4>(plain);
  }
}

}  // namespace

void RunDotRow(const DotRow& row, const DotEpilogue& epilogue) {
  const int64_t vectors = (row.channels + kDotLanes - 1) / kDotLanes;
  const Functions functions =
      FunctionsOf(vectors, IsPlain(epilogue.form, row.residual != nullptr));
  const auto run = [&](TileFunction function, int64_t x) {
    const Place place = {
        row.input + x * row.input_step,
        row.residual == nullptr ? nullptr : row.residual + x * row.residual_step,
        row.output + x * row.output_step};
    function(row, place, epilogue);
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

void RunDotRow(const DotRow&, const DotEpilogue&) {}

#endif

}  // namespace dovetail::cpu
