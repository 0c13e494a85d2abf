#include "dovetail/backends/cpu/isa/measure_dot_products.h"

#include "dovetail/backends/cpu/isa/stopwatch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dovetail::cpu {

#if defined(__x86_64__)

namespace {

constexpr int kSums = 12, kRounds = 500, kTimes = 20;

// The compiler keeps what it believes to be read, and in registers.
#define DOVETAIL_KEEP(sum) asm volatile("" : "+v"(sum))

__attribute__((target("avx512f,avx512bf16"), noinline)) void MultiplyBf16() {
  const __m512bh factor = {};
  __m512 sums[kSums] = {};
  for (int i = 0; i < kRounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < kSums; ++k) {
      sums[k] = _mm512_dpbf16_ps(sums[k], factor, factor);
      DOVETAIL_KEEP(sums[k]);
    }
  }
}

__attribute__((target("avx512f,avx512vnni"), noinline)) void MultiplyBytes() {
  const __m512i factor = {};
  __m512i sums[kSums] = {};
  for (int i = 0; i < kRounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < kSums; ++k) {
      sums[k] = _mm512_dpbusd_epi32(sums[k], factor, factor);
      DOVETAIL_KEEP(sums[k]);
    }
  }
}

__attribute__((target("avx2,avxvnni"), noinline)) void MultiplyBytesBy256() {
  const __m256i factor = {};
  __m256i sums[kSums] = {};
  for (int i = 0; i < kRounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < kSums; ++k) {
      sums[k] = _mm256_dpbusd_avx_epi32(sums[k], factor, factor);
      asm volatile("" : "+x"(sums[k]));
    }
  }
}

#undef DOVETAIL_KEEP

double ProductsANs(void (*multiply)(), int products) {
  return kRounds * kSums * products / ShortestNs(kTimes, multiply);
}

}  // namespace

double MeasureBf16Products(Isa isa) {
  if (!Includes(isa, Isa::kAvx512Bf16)) return 0;
  return ProductsANs(&MultiplyBf16, 32);
}

double MeasureByteProducts(Isa isa) {
  if (Includes(isa, Isa::kAvx512Vnni)) return ProductsANs(&MultiplyBytes, 64);
  if (!Includes(isa, Isa::kAvx2Vnni)) return 0;
  return ProductsANs(&MultiplyBytesBy256, 32);
}

#else

double MeasureBf16Products(Isa) { return 0; }
double MeasureByteProducts(Isa) { return 0; }

#endif

}  // namespace dovetail::cpu
