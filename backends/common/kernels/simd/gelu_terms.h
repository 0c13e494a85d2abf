// The numbers of GELU, for Highway's kernels and for those that are compiled
// for more of AVX-512 than Highway has targets of.
//
// Either form of GELU is x / (1 + 2^e), with e = x * p(x^2). Coefficients of p
// are by rising powers.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_GELU_TERMS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_GELU_TERMS_H_

namespace dovetail::host {

// x * (1 + erf(x / sqrt(2))) / 2, off by 1e-7 of it for x from kGeluLeast on
// (least-maximum fit).
inline constexpr float kGeluErfTerms[] = {
    -2.302205801f,    -0.1048414931f,  9.730605234e-5f, 1.589633757e-4f,
    -1.140276345e-5f, 3.823895725e-7f, -5.157931415e-9f};

// x * (1 + tanh(u)) / 2 with u = sqrt(2 / pi) * (x + 0.044715 x^3): e is
// -2 u / log 2.
inline constexpr float kGeluTanhTerms[] = {-2.302208198f, -0.1029432397f};

// Results of what is less are the one of this: 0.
inline constexpr float kGeluLeast = -14.0f;

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIMD_GELU_TERMS_H_
