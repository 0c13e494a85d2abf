#include "dovetail/backends/common/kernels/signal/fourier_plan.h"

#include <cmath>
#include <complex>

namespace dovetail::host {
namespace {

using Complex = std::complex<double>;

// exp(-2 pi i numerator / denominator), of angles below a whole turn, which
// lose no digits.
Complex Root(int64_t numerator, int64_t denominator) {
  const double angle = -2 * M_PI *
                       static_cast<double>(numerator % denominator) /
                       static_cast<double>(denominator);
  return {std::cos(angle), std::sin(angle)};
}

void Append(const Complex& x, std::vector<float>& pairs) {
  pairs.push_back(static_cast<float>(x.real()));
  pairs.push_back(static_cast<float>(x.imag()));
}

int64_t SmallestPrimeFactor(int64_t n) {
  for (int64_t i = 2; i * i <= n; ++i) {
    if (n % i == 0) return i;
  }
  return n;
}

int64_t LargestPrimeFactor(int64_t n) {
  int64_t largest = 1;
  while (n > 1) {
    largest = SmallestPrimeFactor(n);
    n /= largest;
  }
  return largest;
}

// Radix 4 computes what two stages of radix 2 do, and reads and writes once.
int64_t NextRadix(int64_t n) { return n % 4 == 0 ? 4 : SmallestPrimeFactor(n); }

FourierPlan::Stage StageOf(int64_t radix, int64_t groups, int64_t stride) {
  FourierPlan::Stage stage = {radix, groups, stride, {}, {}};
  if (groups > 1) {
    for (int64_t p = 0; p < groups; ++p) {
      for (int64_t j = 1; j < radix; ++j) {
        Append(Root(p * j, radix * groups), stage.turns);
      }
    }
  }
  if (radix % 2 == 0) return stage;
  for (int64_t j = 1; j <= radix / 2; ++j) {
    for (int64_t k = 1; k <= radix / 2; ++k) {
      Append(std::conj(Root(j * k, radix)), stage.roots);
    }
  }
  return stage;
}

// Of n elements, the first of every `step`, in double precision; `roots` are
// the powers of exp(-2 pi i / (n * step)).
std::vector<Complex> Transform(const Complex* x, int64_t n, int64_t step,
                               const std::vector<Complex>& roots) {
  if (n == 1) return {x[0]};
  const int64_t parts = SmallestPrimeFactor(n), length = n / parts;
  std::vector<Complex> result(n);
  for (int64_t i = 0; i < parts; ++i) {
    const std::vector<Complex> part =
        Transform(x + i * step, length, step * parts, roots);
    for (int64_t k = 0; k < n; ++k) {
      result[k] += part[k % length] * roots[i * k % n * step];
    }
  }
  return result;
}

}  // namespace

FourierPlan::FourierPlan(int64_t length, bool real)
    : length_(length),
      real_(real),
      points_(real && length % 2 == 0 ? length / 2 : length) {
  if (points_ < length_) {
    for (int64_t k = 0; k <= points_ / 2; ++k) Append(Root(k, length), halves_);
  }
  if (LargestPrimeFactor(points_) > kLargestRadix) {
    MakeConvolution();
  } else {
    MakeStages();
  }
}

void FourierPlan::MakeStages() {
  int64_t stride = 1;
  while (stride < points_) {
    const int64_t radix = NextRadix(points_ / stride);
    stages_.push_back(StageOf(radix, points_ / stride / radix, stride));
    stride *= radix;
  }
}

void FourierPlan::MakeConvolution() {
  int64_t size = 2 * points_ - 1;
  while (LargestPrimeFactor(size) > 5) ++size;
  convolution_ = std::make_unique<FourierPlan>(size);
  std::vector<Complex> filter(size);
  for (int64_t k = 0; k < points_; ++k) {
    const Complex root = Root(k * k, 2 * points_);
    Append(root, chirp_);
    filter[k] = std::conj(root) / static_cast<double>(size);
    if (k > 0) filter[size - k] = filter[k];
  }
  std::vector<Complex> roots(size);
  for (int64_t k = 0; k < size; ++k) roots[k] = Root(k, size);
  for (const Complex& x : Transform(filter.data(), size, 1, roots)) {
    Append(x, filter_);
  }
}

}  // namespace dovetail::host
