// Dot products of AVX2 with VNNI.
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_tiles.h"

#if defined(__x86_64__)
// These come first, for other code is not to be compiled for these
// instructions.
#include <immintrin.h>

#include <algorithm>
#include <cstring>

// Highway has no target of just these instructions.
#pragma GCC push_options
// In headers of GCC, where a value does not matter.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx2,fma,avxvnni")

#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_tile-inl.h"

namespace dovetail::cpu {
namespace {

struct LanesOf8 {
  using Ints = __m256i;
  using Floats = __m256;
  static constexpr int kCount = 8;

  static Ints LoadInts(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  static Floats LoadFloats(const float* from) { return _mm256_loadu_ps(from); }
  static void StoreFloats(Floats x, float* to) { _mm256_storeu_ps(to, x); }
  static Ints SetInts(int32_t x) { return _mm256_set1_epi32(x); }
  static Floats SetFloats(float x) { return _mm256_set1_ps(x); }
  template <int kBits, int kShift>
  static Ints Codes(Ints words) {
    if constexpr (kBits == 8) return words;
    const Ints mask = _mm256_set1_epi8((1 << kBits) - 1);
    return _mm256_and_si256(
        kShift == 0 ? words : _mm256_srli_epi32(words, kShift), mask);
  }
  static Ints Dot(Ints sums, Ints codes, Ints bytes) {
    return _mm256_dpbusd_avx_epi32(sums, codes, bytes);
  }
  static Floats ToFloats(Ints x) { return _mm256_cvtepi32_ps(x); }
  static Floats Add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
  static Floats MulAdd(Floats a, Floats b, Floats c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  static Floats NegMulAdd(Floats a, Floats b, Floats c) {
    return _mm256_fnmadd_ps(a, b, c);
  }
};

}  // namespace

void RunQuantizedTileBy8(const QuantizedTile& tile, int64_t rows) {
  MultiplyAnyTile<LanesOf8, kTileRowsBy8>(tile, rows);
}

}  // namespace dovetail::cpu

#pragma GCC pop_options

#else

namespace dovetail::cpu {
void RunQuantizedTileBy8(const QuantizedTile&, int64_t) {}
}  // namespace dovetail::cpu

#endif
