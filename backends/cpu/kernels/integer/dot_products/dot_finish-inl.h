// From sums of products to stored results, by vectors of 16 lanes. To be
// included by sources with no other code than for AVX-512 with VNNI in them.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_FINISH_INL_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_FINISH_INL_H_

#include <cstdint>
#include <iterator>

#include "dovetail/backends/common/kernels/simd/avx512_power.h"
#include "dovetail/backends/common/kernels/simd/gelu_terms.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_epilogue.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Highway has no target of just these instructions, which processors have that
// lack the rest of its own.
#pragma GCC push_options
// In headers of GCC, where a value does not matter.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace dovetail::cpu {
namespace {

// The first `count` lanes of a group.
__mmask64 FirstLanes(int64_t count) {
  return count >= kDotGroup ? ~__mmask64{0} : (__mmask64{1} << count) - 1;
}

// ---- From sums to results: IntegerEpilogue ----

// Whether nothing but scale, shift and limits makes bytes of sums: what most
// layers do, and in a fraction of the time of all else.
bool IsPlain(const DotForm& form, bool has_residual) {
  return !has_residual && !form.has_grid && !form.has_slope &&
         form.activation == IntegerEpilogue::Activation::kNone &&
         form.is_low_of_type;
}

__m512 LoadResidual(ElementType type, const char* from, int64_t channel,
                    __mmask16 mask) {
  if (type == ElementType::kF32) {
    return _mm512_maskz_loadu_ps(mask, from + channel * 4);
  }
  const __m128i bytes = _mm_maskz_loadu_epi8(mask, from + channel);
  return _mm512_cvtepi32_ps(type == ElementType::kU8
                                ? _mm512_cvtepu8_epi32(bytes)
                                : _mm512_cvtepi8_epi32(bytes));
}

__m512 RoundToGrid(__m512 x, const DotForm& form) {
  x = _mm512_max_ps(x, _mm512_set1_ps(form.grid_low));
  x = _mm512_min_ps(x, _mm512_set1_ps(form.grid_high));
  return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

// Of the lanes from `at` on; FinishActivation does the rest. form: a copy, which
// no store can change. residual: of the group, or none.
template <bool kPlain>
__m512 Finish(const DotEpilogue& e, const DotForm& form, __m512i sums,
              int64_t at, const char* residual, __mmask16 mask) {
  const auto load = [at](const float* from) {
    return _mm512_load_ps(from + at);
  };
  __m512 x = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), load(e.scale),
                             load(e.shift));
  if constexpr (kPlain) return _mm512_min_ps(x, load(e.high));
  if (form.has_grid) {
    x = _mm512_fmadd_ps(RoundToGrid(x, form), load(e.step), load(e.offset));
  }
  if (form.activation != IntegerEpilogue::Activation::kNone) return x;
  if (residual != nullptr) {
    x = _mm512_fmadd_ps(LoadResidual(form.residual_type, residual, at, mask),
                        load(e.residual_scale), x);
  }
  if (form.has_slope) {
    const __m512 zero = _mm512_setzero_ps();
    x = _mm512_fmadd_ps(_mm512_min_ps(x, zero), load(e.slope),
                        _mm512_max_ps(x, zero));
    x = _mm512_add_ps(x, load(e.last_shift));
  }
  if (!form.is_low_of_type) x = _mm512_max_ps(x, load(e.low));
  return _mm512_min_ps(x, load(e.high));
}

// x = 1 / (1 + exp(-x)) with a relative error of some 1e-7 from -87 on, and
// below that some 1e-38.
__m512 Sigmoid(__m512 x) {
  x = _mm512_max_ps(_mm512_set1_ps(-87), x);  // keeps NaN
  const __m512 power =
      host::Avx512PowerOfTwo(_mm512_mul_ps(x, _mm512_set1_ps(-1.44269504f)));
  const __m512 sum = _mm512_add_ps(power, _mm512_set1_ps(1));
  // A step of Newton's method, in a fraction of the time of a division.
  const __m512 inverse = _mm512_rcp14_ps(sum);
  return _mm512_mul_ps(inverse,
                       _mm512_fnmadd_ps(inverse, sum, _mm512_set1_ps(2)));
}

// What GELU is x * Sigmoid of, for x from kGeluLeast on.
__m512 GeluArgument(IntegerEpilogue::Activation activation, __m512 x) {
  constexpr float kLn2 = 0.693147181f;
  const __m512 square = _mm512_mul_ps(x, x);
  const auto polynomial = [square](const auto& terms) {
    __m512 sum = _mm512_setzero_ps();
#pragma GCC unroll 8
    for (int i = std::ssize(terms) - 1; i >= 0; --i) {
      sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(-kLn2 * terms[i]));
    }
    return sum;
  };
  return _mm512_mul_ps(x, activation == IntegerEpilogue::Activation::kGeluTanh
                              ? polynomial(host::kGeluTanhTerms)
                              : polynomial(host::kGeluErfTerms));
}

// What Finish leaves to be done of the vectors of a group.
template <int kVectors>
__attribute__((noinline)) void FinishActivation(const DotEpilogue& e,
                                                __m512 (&results)[kVectors]) {
  using Activation = IntegerEpilogue::Activation;
  const Activation activation = e.form.activation;
  const bool is_gelu =
      activation == Activation::kGelu || activation == Activation::kGeluTanh;
  __m512 x[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    x[v] = results[v];
    if (activation == Activation::kSwish) {
      x[v] = _mm512_mul_ps(x[v], _mm512_set1_ps(e.form.beta));
    } else if (is_gelu) {
      results[v] =
          _mm512_max_ps(_mm512_set1_ps(host::kGeluLeast), x[v]);  // keeps NaN
      x[v] = GeluArgument(activation, results[v]);
    }
  }
  if (activation == Activation::kHSwish) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      x[v] = _mm512_max_ps(_mm512_add_ps(x[v], _mm512_set1_ps(3)),
                           _mm512_setzero_ps());
      x[v] = _mm512_mul_ps(_mm512_min_ps(x[v], _mm512_set1_ps(6)),
                           _mm512_set1_ps(1.0f / 6));
    }
  } else {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) x[v] = Sigmoid(x[v]);
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const auto load = [v](const float* from) {
      return _mm512_load_ps(from + v * kDotLanes);
    };
    if (activation != Activation::kSigmoid) {
      x[v] = _mm512_mul_ps(x[v], results[v]);
    }
    x[v] = _mm512_fmadd_ps(x[v], load(e.step), load(e.offset));
    if (e.form.rounds_activation) {
      x[v] = _mm512_fmadd_ps(RoundToGrid(x[v], e.form), load(e.slope),
                             load(e.last_shift));
    }
    x[v] = _mm512_max_ps(x[v], load(e.low));
    results[v] = _mm512_min_ps(x[v], load(e.high));
  }
}

// ---- Stores: those with a mask are slow where all is to be stored ----

void StoreFloats(__m512 x, char* to, __mmask16 mask, bool all) {
  if (all) {
    _mm512_storeu_ps(to, x);
  } else {
    _mm512_mask_storeu_ps(to, mask, x);
  }
}

// To the nearest of the integers from 0 to 255, in each quarter four lanes of
// `a`, then of `b` and so on.
__m512i Narrow(__m512 a, __m512 b, __m512 c, __m512 d) {
  const __m512i ab =
      _mm512_packs_epi32(_mm512_cvtps_epi32(a), _mm512_cvtps_epi32(b));
  const __m512i cd =
      _mm512_packs_epi32(_mm512_cvtps_epi32(c), _mm512_cvtps_epi32(d));
  return _mm512_packus_epi16(ab, cd);
}

}  // namespace
}  // namespace dovetail::cpu

#pragma GCC pop_options

#endif  // defined(__x86_64__)

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_FINISH_INL_H_
