// Functions of f32 vectors, each with a relative error of about 1e-7 unless
// said otherwise, right for infinities, NaN and denormal numbers. Polynomials
// are least-maximum fits made for these intervals; the error that stands with
// one is that of the exact polynomial.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h.
#if defined(DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_MATH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_MATH_INL_H_
#undef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_MATH_INL_H_
#else
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_MATH_INL_H_
#endif

#include "dovetail/backends/common/kernels/simd/gelu_terms.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3
#include "dovetail/backends/common/kernels/simd/avx512_power.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The lesser (greater) of a limit and x, and NaN if x is NaN: instructions of
// x86 answer the second operand then, emulation has to be told.
template <class V>
HWY_INLINE V MinKeepNaN(V limit, V x) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR || !HWY_ARCH_X86
  return hn::IfThenElse(hn::Gt(x, limit), limit, x);
#else
  return hn::Min(limit, x);
#endif
}
template <class V>
HWY_INLINE V MaxKeepNaN(V limit, V x) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR || !HWY_ARCH_X86
  return hn::IfThenElse(hn::Lt(x, limit), limit, x);
#else
  return hn::Max(limit, x);
#endif
}

// c[0] + x * (c[1] + x * (...)).
template <class D, class V, size_t kCount>
HWY_INLINE V Polynomial(D d, V x, const float (&c)[kCount]) {
  V sum = hn::Set(d, c[kCount - 1]);
#pragma GCC unroll 16
  for (size_t i = 2; i <= kCount; ++i) {
    sum = hn::MulAdd(sum, x, hn::Set(d, c[kCount - i]));
  }
  return sum;
}

// ln 2 as a number of few bits, whose products with exponents are exact, and
// the rest.
constexpr float kLn2High = 0.693145751953125f;
constexpr float kLn2Low = 1.42860682e-6f;
constexpr float kLog2E = 1.44269504f;

// x = exponent * ln 2 + rest with |rest| <= ln 2 / 2; x within +-128 * ln 2 or
// so. `tail` is exp(rest) - 1.
template <class D, class V>
struct ExpParts {
  hn::Vec<hn::RebindToSigned<D>> exponent;
  V tail;
};

template <class D, class V>
HWY_INLINE ExpParts<D, V> SplitExp(D d, V x) {
  const hn::RebindToSigned<D> di;
  // Adding it leaves no bits for a fraction; then the lowest bits are the
  // rounded number.
  const V no_fraction = hn::Set(d, 12582912.0f);  // 1.5 * 2^23
  const V shifted = hn::MulAdd(x, hn::Set(d, kLog2E), no_fraction);
  const V n = hn::Sub(shifted, no_fraction);
  V rest = hn::NegMulAdd(n, hn::Set(d, kLn2High), x);
  rest = hn::NegMulAdd(n, hn::Set(d, kLn2Low), rest);
  // (exp(r) - 1 - r) / r^2; 3e-9 of exp(r).
  constexpr float kTerms[] = {0.5f, 1.666651815e-1f, 4.166620597e-2f,
                              8.368954062e-3f, 1.395059982e-3f};
  const V terms = Polynomial(d, rest, kTerms);
  return {hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, no_fraction)),
          hn::MulAdd(hn::Mul(rest, rest), terms, rest)};
}

// 2^n, -126 <= n <= 127.
template <class D, class VI>
HWY_INLINE hn::Vec<D> PowerOfTwo(D d, VI n) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
}

template <class D, class V>
HWY_INLINE V Exp(D d, V x) {
  x = MinKeepNaN(hn::Set(d, 89.0f), x);
  x = MaxKeepNaN(hn::Set(d, -104.0f), x);
  const auto parts = SplitExp(d, x);
  const V mantissa = hn::Add(parts.tail, hn::Set(d, 1.0f));
  // Two steps, because the exponent may leave the range of normal numbers.
  const auto half = hn::ShiftRight<1>(parts.exponent);
  return hn::Mul(hn::Mul(mantissa, PowerOfTwo(d, half)),
                 PowerOfTwo(d, hn::Sub(parts.exponent, half)));
}

// 2^(x * factor) where that is a normal number; x * factor is not rounded.
template <class D, class V>
HWY_INLINE V PowerOfTwoBy(D d, V x, float factor) {
  const hn::RebindToSigned<D> di;
  const V no_fraction = hn::Set(d, 12582912.0f);  // as in SplitExp
  const V shifted = hn::MulAdd(x, hn::Set(d, factor), no_fraction);
  const V rest =
      hn::MulSub(x, hn::Set(d, factor), hn::Sub(shifted, no_fraction));
  // 2^r for |r| <= 1/2; 9e-8.
  constexpr float kTerms[] = {1.0f,           0.6931469776f, 0.2402224208f,
                              0.05550733748f, 0.009671512997f,
                              0.001326472669f};
  // The low bits of the sum are the exponent, those above leave the register.
  return hn::BitCast(d, hn::Add(hn::BitCast(di, Polynomial(d, rest, kTerms)),
                                hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

#if HWY_TARGET == HWY_AVX3
HWY_INLINE hn::Vec512<float> PowerOfTwo(hn::Vec512<float> x) {
  return hn::Vec512<float>{Avx512PowerOfTwo(x.raw)};
}
#endif

// exp(x) for x <= 0 with a relative error of 1e-7 + 6e-8 |x|; where that is
// less than 1e-37, it or 0. NaN of NaN.
template <class D, class V>
HWY_INLINE V ExpOfNegative(D d, V x) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) {
    return PowerOfTwo(hn::Mul(x, hn::Set(d, kLog2E)));
  }
#endif
  const V lowest = hn::Set(d, -85.0f);
  x = MaxKeepNaN(lowest, x);
  return hn::IfThenZeroElse(hn::Eq(x, lowest), PowerOfTwoBy(d, x, kLog2E));
}

// exp(x) - 1.
template <class D, class V>
HWY_INLINE V Expm1(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = MinKeepNaN(hn::Set(d, 89.0f), x);
  x = MaxKeepNaN(hn::Set(d, -80.0f), x);
  const auto parts = SplitExp(d, x);
  // Half of it first: 2^128 is no number.
  const V scale = PowerOfTwo(d, hn::Sub(parts.exponent, hn::Set(di, 1)));
  const V half =
      hn::MulAdd(scale, parts.tail, hn::Sub(scale, hn::Set(d, 0.5f)));
  return hn::Add(half, half);
}

// log(1 + f) - f for f from sqrt(1/2) - 1 to sqrt(2) - 1.
template <class D, class V>
HWY_INLINE V LogTail(D d, V f) {
  // (log(1 + f) - f + f^2 / 2) / f^3; 8e-10 of the logarithm.
  constexpr float kTerms[] = {
      3.333331347e-1f,  -2.500000894e-1f, 2.000211924e-1f,
      -1.666799635e-1f, 1.421955079e-1f,  -1.240559146e-1f,
      1.188817471e-1f,  -1.167564094e-1f, 6.746601313e-2f};
  const V square = hn::Mul(f, f);
  const V terms = hn::Mul(Polynomial(d, f, kTerms), f);
  return hn::Mul(square, hn::Sub(terms, hn::Set(d, 0.5f)));
}

template <class D, class V>
HWY_INLINE V Log(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V lowest_normal = hn::Set(d, 1.17549435e-38f);
  const auto denormal = hn::Lt(x, lowest_normal);
  const V scaled =
      hn::IfThenElse(denormal, hn::Mul(x, hn::Set(d, 8388608.0f)), x);  // 2^23
  // Counted from sqrt(1/2), the exponent's bits change where a mantissa from
  // sqrt(1/2) to sqrt(2) is left.
  const auto origin = hn::Set(di, 0x3f3504f3);
  const auto bits = hn::Sub(hn::BitCast(di, scaled), origin);
  const auto exponent = hn::ShiftRight<23>(bits);
  const auto mantissa = hn::Add(hn::And(bits, hn::Set(di, 0x007fffff)), origin);
  const V f = hn::Sub(hn::BitCast(d, mantissa), hn::Set(d, 1.0f));
  V e = hn::ConvertTo(d, exponent);
  e = hn::IfThenElse(denormal, hn::Sub(e, hn::Set(d, 23.0f)), e);
  V low = hn::MulAdd(e, hn::Set(d, kLn2Low), LogTail(d, f));
  V result = hn::MulAdd(e, hn::Set(d, kLn2High), hn::Add(f, low));
  const V zero = hn::Zero(d);
  const V infinity = hn::Inf(d);
  result = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinity), result);
  result = hn::IfThenElse(hn::Lt(x, zero), hn::NaN(d), result);
  // Neither below infinity nor equal to it: NaN, which adding keeps.
  return hn::IfThenElse(hn::Lt(x, infinity), result, hn::Add(x, infinity));
}

// log(1 + u) for 0 <= u <= 1.
template <class D, class V>
HWY_INLINE V Log1pOfFraction(D d, V u) {
  const auto large = hn::Gt(u, hn::Set(d, 0.41421356f));
  const V half_of_rest =
      hn::Mul(hn::Sub(u, hn::Set(d, 1.0f)), hn::Set(d, 0.5f));
  const V f = hn::IfThenElse(large, half_of_rest, u);
  const V result = hn::Add(f, LogTail(d, f));
  const V ln2 = hn::Set(d, 0.69314718f);
  return hn::Add(result, hn::IfThenElseZero(large, ln2));
}

// 1 / x for x from 1 to 1e37. Divisions of 16 lanes take so long that a step of
// Newton's method is quicker, and as exact but for a bit.
template <class D, class V>
HWY_INLINE V Reciprocal(D d, V x) {
#if HWY_TARGET == HWY_AVX3
  const V about = hn::ApproximateReciprocal(x);
  return hn::Mul(about, hn::NegMulAdd(about, x, hn::Set(d, 2.0f)));
#else
  return hn::Div(hn::Set(d, 1.0f), x);
#endif
}

template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  const V a = hn::Abs(x);
  const V limited = MinKeepNaN(hn::Set(d, 20.0f), hn::Add(a, a));
  const auto parts = SplitExp(d, limited);
  const V scale = PowerOfTwo(d, parts.exponent);
  // exp(2 |x|) - 1
  const V t = hn::MulAdd(scale, parts.tail, hn::Sub(scale, hn::Set(d, 1.0f)));
  return hn::CopySignToAbs(
      hn::Mul(t, Reciprocal(d, hn::Add(t, hn::Set(d, 2.0f)))), x);
}

// min(max(x + 3, 0), 6) / 6
template <class D, class V>
HWY_INLINE V HardSigmoid6(D d, V x) {
  const V shifted = hn::Add(x, hn::Set(d, 3.0f));
  const V limited =
      MinKeepNaN(hn::Set(d, 6.0f), MaxKeepNaN(hn::Zero(d), shifted));
  return hn::Div(limited, hn::Set(d, 6.0f));
}

// 1 / (1 + exp(-x)), exact for very negative x too.
template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V e = Exp(d, hn::Neg(hn::Abs(x)));
  const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one);
  return hn::Mul(numerator, Reciprocal(d, hn::Add(one, e)));
}

// exp(z^2) * erfc(z) / t with t = 1 / (1 + 0.3 z), for z from 0 to 11. Relative
// error 2e-8.
template <class D, class V>
HWY_INLINE V ScaledErfc(D d, V t) {
  constexpr float kTerms[] = {
      1.691874117e-1f,  1.707237512e-1f,  1.482865512e-1f,
      2.151064873e-1f,  -9.502725303e-2f, 5.482104421e-1f,
      -5.126680732e-1f, 4.857365787e-1f,  -1.295559406e-1f};
  return Polynomial(d, t, kTerms);
}

template <class D, class V>
HWY_INLINE V Erf(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V a = MinKeepNaN(hn::Set(d, 4.0f), hn::Abs(x));
  const V square = hn::Mul(a, a);
  // erf(x) / x by x^2; 1e-9.
  constexpr float kTerms[] = {
      1.128379107f,    -3.761262596e-1f, 1.128358543e-1f, -2.685381100e-2f,
      5.188327748e-3f, -8.010192541e-4f, 7.853857824e-5f};
  const V small = hn::Mul(a, Polynomial(d, square, kTerms));
  const V t = Reciprocal(d, hn::MulAdd(a, hn::Set(d, 0.3f), one));
  const V e = ExpOfNegative(d, hn::Neg(square));
  const V large = hn::NegMulAdd(hn::Mul(e, t), ScaledErfc(d, t), one);
  return hn::CopySign(hn::IfThenElse(hn::Lt(a, one), small, large), x);
}

// e with which GELU is x / (1 + 2^e), for x from kGeluLeast on; it goes on to
// infinity.
template <class D, class V>
HWY_INLINE V GeluErfExponent(D d, V x) {
  return hn::Mul(x, Polynomial(d, hn::Mul(x, x), kGeluErfTerms));
}

template <class D, class V>
HWY_INLINE V GeluTanhExponent(D d, V x) {
  return hn::Mul(x, Polynomial(d, hn::Mul(x, x), kGeluTanhTerms));
}

#if HWY_TARGET == HWY_AVX3
// x / (1 + 2^exponent).
HWY_INLINE hn::Vec512<float> Gate(hn::Vec512<float> x,
                                  hn::Vec512<float> exponent) {
  const hn::Full512<float> d;
  return hn::Div(x, hn::Add(PowerOfTwo(exponent), hn::Set(d, 1.0f)));
}

HWY_INLINE hn::Vec512<float> GeluErfByPower(hn::Vec512<float> x) {
  const hn::Full512<float> d;
  x = MaxKeepNaN(hn::Set(d, kGeluLeast), x);  // 0 of minus infinity
  return Gate(x, GeluErfExponent(d, x));
}
#endif

// x * (1 + erf(x / sqrt(2))) / 2, off by 1e-7 of x at most; with AVX2 as
// max(x, 0) - |x| * P(X < -|x|) with a standard normal X, which cancels
// nothing.
template <class D, class V>
HWY_INLINE V GeluErf(D d, V x) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) return GeluErfByPower(x);
#endif
  const V one = hn::Set(d, 1.0f);
  // From the limit on the result is x or 0.
  const V limit = hn::Set(d, 13.2f);
  const V a = MinKeepNaN(limit, hn::Abs(x));
  // 0.3 / sqrt(2)
  const V t = Reciprocal(d, hn::MulAdd(a, hn::Set(d, 0.212132034f), one));
  // exp(-a^2 / 2)
  const V e = PowerOfTwoBy(d, hn::Mul(a, a), -0.721347520f);
  const V tail = hn::Mul(hn::Mul(e, t), ScaledErfc(d, t));
  const V part = hn::Mul(hn::Mul(a, hn::Set(d, 0.5f)), tail);
  return hn::Sub(MaxKeepNaN(hn::Zero(d), x),
                 hn::IfThenZeroElse(hn::Eq(a, limit), part));
}

// x * (1 + tanh(u)) / 2 with u = sqrt(2 / pi) * (x + 0.044715 x^3), which is
// x * sigmoid(2 u).
template <class D, class V>
HWY_INLINE V GeluTanh(D d, V x) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) {
    return Gate(x, GeluTanhExponent(d, x));
  }
#endif
  const V factor = hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.0713548163f),
                              hn::Set(d, 1.59576912f));
  return hn::Mul(x, Sigmoid(d, hn::Mul(x, factor)));
}

// log(1 + exp(x))
template <class D, class V>
HWY_INLINE V SoftPlus(D d, V x) {
  const V e = Exp(d, hn::Neg(hn::Abs(x)));
  return hn::Add(MaxKeepNaN(hn::Zero(d), x), Log1pOfFraction(d, e));
}

// x * tanh(log(1 + e)) with e = exp(x), which is x * n / (n + 2) with
// n = e * (e + 2); from 20 on the fraction is 1.
template <class D, class V>
HWY_INLINE V Mish(D d, V x) {
  const V two = hn::Set(d, 2.0f);
  const V e = Exp(d, MinKeepNaN(hn::Set(d, 20.0f), x));
  const V n = hn::Mul(e, hn::Add(e, two));
  return hn::Mul(x, hn::Div(n, hn::Add(n, two)));
}

// sin(x + quarters * pi / 2) for |x| <= 8192. The absolute error is about
// 1e-7 of the result, of numbers very near to a zero about 1e-11.
template <class D, class V>
HWY_INLINE V SinOfQuarters(D d, V x, int32_t quarters) {
  const hn::RebindToSigned<D> di;
  const V n = hn::Round(hn::Mul(x, hn::Set(d, 0.636619772f)));
  // pi / 2 in parts of few bits, whose products with n are exact.
  V r = hn::NegMulAdd(n, hn::Set(d, 1.5703125f), x);
  r = hn::NegMulAdd(n, hn::Set(d, 4.837512969970703125e-4f), r);
  r = hn::NegMulAdd(n, hn::Set(d, 7.54978995489e-8f), r);
  const V square = hn::Mul(r, r);
  constexpr float kSine[] = {-1.666665524e-1f, 8.332173340e-3f,
                             -1.951665472e-4f};
  const V sine =
      hn::MulAdd(hn::Mul(r, square), Polynomial(d, square, kSine), r);
  constexpr float kCosine[] = {4.166664556e-2f, -1.388736186e-3f,
                               2.443772792e-5f};
  const V cosine =
      hn::MulAdd(hn::Mul(square, square), Polynomial(d, square, kCosine),
                 hn::NegMulAdd(square, hn::Set(d, 0.5f), hn::Set(d, 1.0f)));
  const auto quadrant = hn::Add(hn::ConvertTo(di, n), hn::Set(di, quarters));
  const auto odd = hn::ShiftLeft<31>(quadrant);
  const auto negative = hn::ShiftLeft<31>(hn::ShiftRight<1>(quadrant));
  const V result = hn::IfThenElse(
      hn::MaskFromVec(hn::BitCast(d, hn::BroadcastSignBit(odd))), cosine, sine);
  return hn::Xor(result, hn::BitCast(d, negative));
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_MATH_INL_H_
