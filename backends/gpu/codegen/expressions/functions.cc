#include "dovetail/backends/gpu/codegen/expressions/functions.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/registers.h"

namespace dovetail::gpu {
namespace {

struct Function {
  const char* name;  // what stands before the type
  const char* text;
};

// Coefficients of erf and erfc are those of the kernels of processors
// (backends/common/kernels/simd/math-inl.h): drivers of processors call the
// library's erf for one lane after the other.
constexpr char kScaledErfc[] = R"(
// exp(z * z) * erfc(z) / t with t = 1 / (1 + 0.3 z), for z from 0 to 11.
$V scaled_erfc_$V($V t) {
  $V sum = ($V)(-1.295559406e-1f);
  sum = fma(sum, t, ($V)(4.857365787e-1f));
  sum = fma(sum, t, ($V)(-5.126680732e-1f));
  sum = fma(sum, t, ($V)(5.482104421e-1f));
  sum = fma(sum, t, ($V)(-9.502725303e-2f));
  sum = fma(sum, t, ($V)(2.151064873e-1f));
  sum = fma(sum, t, ($V)(1.482865512e-1f));
  sum = fma(sum, t, ($V)(1.707237512e-1f));
  return fma(sum, t, ($V)(1.691874117e-1f));
}
)";

constexpr char kErf[] = R"(
$V erf_of_$V($V x) {
  const $V size = fabs(x);
  const $V a = size > 4.0f ? ($V)(4.0f) : size;
  const $V square = a * a;
  $V sum = ($V)(7.853857824e-5f);
  sum = fma(sum, square, ($V)(-8.010192541e-4f));
  sum = fma(sum, square, ($V)(5.188327748e-3f));
  sum = fma(sum, square, ($V)(-2.685381100e-2f));
  sum = fma(sum, square, ($V)(1.128358543e-1f));
  sum = fma(sum, square, ($V)(-3.761262596e-1f));
  sum = fma(sum, square, ($V)(1.128379107f));
  const $V t = 1.0f / fma(a, ($V)(0.3f), ($V)(1.0f));
  const $V large = 1.0f - exp(-square) * t * scaled_erfc_$V(t);
  return copysign(a < 1.0f ? a * sum : large, x);
}
)";

constexpr char kGelu[] = R"(
// max(x, 0) - |x| * P(X < -|x|) with a standard normal X cancels nothing. From
// 13.2 on it is x or 0; of negative infinity it is NaN.
$V gelu_of_$V($V x) {
  const $V size = fabs(x);
  const $V a = size > 13.2f ? ($V)(13.2f) : size;
  const $V t = 1.0f / fma(a, ($V)(0.212132034f), ($V)(1.0f));
  const $V tail = exp(a * a * -0.5f) * t * scaled_erfc_$V(t);
  const $V part = size > 13.2f ? ($V)(0.0f) : a * 0.5f * tail;
  return (x < 0.0f ? x * 0.0f : x) - part;
}
)";

// erfinv(x) / x by w = -log(1 - x^2), and by its root where it is large: within
// 2e-7 of the result.
constexpr char kErfInv[] = R"(
$V erf_inv_of_$V($V x) {
  const $V w = -log((1.0f - x) * (1.0f + x));
  const $V near = w - 2.5f;
  $V middle = ($V)(2.260593597e-8f);
  middle = fma(middle, near, ($V)(3.422247632e-7f));
  middle = fma(middle, near, ($V)(-3.454779058e-6f));
  middle = fma(middle, near, ($V)(-4.380347225e-6f));
  middle = fma(middle, near, ($V)(2.183129783e-4f));
  middle = fma(middle, near, ($V)(-1.253758883e-3f));
  middle = fma(middle, near, ($V)(-4.177346516e-3f));
  middle = fma(middle, near, ($V)(2.466407663e-1f));
  middle = fma(middle, near, ($V)(1.501409351f));
  const $V far = sqrt(w) - 3.0f;
  $V tail = ($V)(-1.299014013e-4f);
  tail = fma(tail, far, ($V)(4.533604766e-5f));
  tail = fma(tail, far, ($V)(1.260339433e-3f));
  tail = fma(tail, far, ($V)(-3.614723065e-3f));
  tail = fma(tail, far, ($V)(5.776732419e-3f));
  tail = fma(tail, far, ($V)(-7.639828368e-3f));
  tail = fma(tail, far, ($V)(9.433545864e-3f));
  tail = fma(tail, far, ($V)(1.001675333f));
  tail = fma(tail, far, ($V)(2.832977046f));
  const $V inside = x * (w < 5.0f ? middle : tail);
  return fabs(x) == 1.0f ? copysign(($V)(INFINITY), x) : inside;
}
)";

// tanh(log(1 + e)) with e = exp(x) is n / (n + 2) with n = e * (e + 2); from 20
// on it is 1.
constexpr char kMish[] = R"(
$V mish_of_$V($V x) {
  const $V e = exp(x > 20.0f ? ($V)(20.0f) : x);
  const $V n = e * (e + 2.0f);
  return x * (n / (n + 2.0f));
}
)";

// Vectors with a lane of 1e30, say, are up to 1e-2 wrong in all others, on PoCL
// 3.1: such lanes are computed for themselves.
constexpr char kSin[] = R"(
$V sin_of_$V($V x) {
  $V y = sin(fabs(x) < 1e5f ? x : ($V)(0.0f));
  for (int i = 0; i < $N; ++i) {
    const float one = ((const float*)&x)[i];
    if (!(fabs(one) < 1e5f)) ((float*)&y)[i] = sin(one);
  }
  return y;
}
)";
constexpr char kCos[] = R"(
$V cos_of_$V($V x) {
  $V y = cos(fabs(x) < 1e5f ? x : ($V)(0.0f));
  for (int i = 0; i < $N; ++i) {
    const float one = ((const float*)&x)[i];
    if (!(fabs(one) < 1e5f)) ((float*)&y)[i] = cos(one);
  }
  return y;
}
)";
constexpr char kTan[] = R"(
$V tan_of_$V($V x) {
  $V y = tan(fabs(x) < 1e5f ? x : ($V)(0.0f));
  for (int i = 0; i < $N; ++i) {
    const float one = ((const float*)&x)[i];
    if (!(fabs(one) < 1e5f)) ((float*)&y)[i] = tan(one);
  }
  return y;
}
)";

// Statements of their own, which compilers do not fuse.
constexpr char kFloorMod[] = R"(
$V floor_mod_$V($V a, $V b) {
  const $V whole = floor(a / b);
  const $V part = b * whole;
  return a - part;
}
)";

// In the order of the reference kernel, as values near to a tie depend on the
// last bit.
constexpr char kFakeQuantize[] = R"(
$V fake_quantize_$V($V x, $V in_low, $V in_high, $V out_low, $V out_high,
                    $V steps) {
  const $V inverse = 1.0f / (in_high - in_low);
  const $V in_scale = inverse * steps;
  const $V in_shift = -(in_low * inverse * steps);
  const $V out_scale = 1.0f / steps * (out_high - out_low);
  const $V step = rint(fma(x, in_scale, in_shift));
  const $V inside = fma(step, out_scale, out_low);
  const $V least = in_high < in_low ? in_high : in_low;
  const $V greatest = in_low < in_high ? in_high : in_low;
  return x <= least ? out_low : x > greatest ? out_high : inside;
}
)";

// What is out of the range of i32 or i64 is the least number, NaN is 0.
constexpr char kToI32[] = R"(
int$L to_i32_$V($V x) {
  const int$L fits = (x > -0x1p31f) & (x < 0x1p31f);
  const int$L whole = convert_int$L(fits ? x : ($V)(0.0f));
  return x != x ? (int$L)(0) : fits ? whole : (int$L)(INT_MIN);
}
)";
constexpr char kToI64[] = R"(
long$L to_i64_$V($V x) {
  const int$L fits = (x > -0x1p63f) & (x < 0x1p63f);
  const long$L whole = convert_long$L(fits ? x : ($V)(0.0f));
  const long$L otherwise =
      convert_long$L(x != x) != 0 ? (long$L)(0) : (long$L)(LONG_MIN);
  return convert_long$L(fits) != 0 ? whole : otherwise;
}
)";
// A negative number wraps; from 2^64 on it is 0.
constexpr char kToU64[] = R"(
ulong$L to_u64_$V($V x) {
  const int$L high = (x >= 0x1p63f) & (x < 0x1p64f);
  const ulong$L upper = convert_ulong$L(high ? x - 0x1p63f : ($V)(0.0f)) +
                        (ulong$L)(0x8000000000000000UL);
  const ulong$L lower = convert_ulong$L(to_i64_$V(x));
  const ulong$L rest =
      convert_long$L(x >= 0x1p64f) != 0 ? (ulong$L)(0) : lower;
  return convert_long$L(high) != 0 ? upper : rest;
}
)";

// The lowest number divided by -1 wraps, but processors trap.
constexpr char kDivisor[] = R"(
$V divisor_$V($V b) { return b == ($V)(-1) ? ($V)(1) : b; }
)";
constexpr char kDivide[] = R"(
$V divide_$V($V a, $V b) {
  const $V negated = convert_$V(($U)(0) - convert_$U(a));
  const $V quotient = a / divisor_$V(b);
  return b == ($V)(-1) ? negated : quotient;
}
)";
constexpr char kRemainder[] = R"(
$V remainder_$V($V a, $V b) { return a % divisor_$V(b); }
)";
constexpr char kDivideDown[] = R"(
$V divide_down_$V($V a, $V b) {
  const $V rest = remainder_$V(a, b);
  const $V quotient = divide_$V(a, b);
  const $V lower = quotient - ($V)(1);
  return (rest != ($V)(0)) & ((a < ($V)(0)) != (b < ($V)(0))) ? lower
                                                               : quotient;
}
)";
constexpr char kFloorRemainder[] = R"(
$V floor_remainder_$V($V a, $V b) {
  const $V rest = remainder_$V(a, b);
  const $V moved = rest + b;
  return (rest != ($V)(0)) & ((rest < ($V)(0)) != (b < ($V)(0))) ? moved : rest;
}
)";

// To a negative exponent powers are cut to 0, 1 or -1, and 0 is the largest
// number. One lane after the other: exponents differ.
constexpr char kPowerOne[] = R"(
$T power_one_$T($T base, $T exponent, $T greatest) {
  if (exponent < 0) {
    if (base == 0) return greatest;
    if (base == 1) return 1;
    return base == ($T)(-1) ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  ulong power = 1, factor = convert_ulong(base);
  for (ulong rest = convert_ulong(exponent); rest != 0; rest >>= 1) {
    if (rest & 1) power *= factor;
    factor *= factor;
  }
  return convert_$T(power);
}
)";
constexpr char kPower[] = R"(
$V power_$V($V base, $V exponent, $T greatest) {
  $T* const bases = ($T*)&base;
  const $T* const exponents = (const $T*)&exponent;
  for (int i = 0; i < $N; ++i) {
    bases[i] = power_one_$T(bases[i], exponents[i], greatest);
  }
  return base;
}
)";

// Functions call those before them.
constexpr Function kFunctions[] = {
    {"scaled_erfc_", kScaledErfc},
    {"erf_of_", kErf},
    {"gelu_of_", kGelu},
    {"erf_inv_of_", kErfInv},
    {"mish_of_", kMish},
    {"sin_of_", kSin},
    {"cos_of_", kCos},
    {"tan_of_", kTan},
    {"floor_mod_", kFloorMod},
    {"fake_quantize_", kFakeQuantize},
    {"to_i32_", kToI32},
    {"to_i64_", kToI64},
    {"to_u64_", kToU64},
    {"divisor_", kDivisor},
    {"divide_$V", kDivide},
    {"remainder_$V", kRemainder},
    {"divide_down_", kDivideDown},
    {"floor_remainder_", kFloorRemainder},
    {"power_one_", kPowerOne},
    {"power_$V", kPower},
};

}  // namespace

std::string ReplaceMarks(absl::string_view text, const MarkedTypes& types,
                         int lanes) {
  const std::string suffix = lanes == 1 ? "" : absl::StrCat(lanes);
  return absl::StrReplaceAll(text, {{"$V", RegisterType(types.type, lanes)},
                                    {"$T", RegisterType(types.type, 1)},
                                    {"$U", WrappingType(types.type, lanes)},
                                    {"$S", MaskType(types.type, lanes)},
                                    {"$R", RegisterType(types.result, lanes)},
                                    {"$I", absl::StrCat("int", suffix)},
                                    {"$L", suffix},
                                    {"$N", absl::StrCat(lanes)}});
}

std::vector<std::string> FunctionsOf(absl::string_view text,
                                     const MarkedTypes& types, int lanes) {
  std::vector<std::string> functions;
  std::string all(text);
  for (size_t i = std::size(kFunctions); i-- > 0;) {
    const Function& function = kFunctions[i];
    if (!absl::StrContains(all, function.name)) continue;
    absl::StrAppend(&all, function.text);
    functions.push_back(ReplaceMarks(function.text, types, lanes));
  }
  std::reverse(functions.begin(), functions.end());
  return functions;
}

}  // namespace dovetail::gpu
