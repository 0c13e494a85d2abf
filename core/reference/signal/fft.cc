#include "dovetail/core/reference/signal/fft.h"

#include <cmath>
#include <utility>

namespace dovetail {
namespace {

bool IsPowerOfTwo(int64_t n) { return (n & (n - 1)) == 0; }

// exp(-2 pi i numerator / denominator)
Fft::Complex Root(int64_t numerator, int64_t denominator) {
  const double angle = -2 * M_PI * static_cast<double>(numerator) /
                       static_cast<double>(denominator);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Fft::Fft(int64_t n) : n_(n) {
  roots_.reserve(n);
  if (IsPowerOfTwo(n)) {
    for (int64_t k = 0; k < n / 2; ++k) roots_.push_back(Root(k, n));
    return;
  }
  // k^2 modulo 2n, step by step: the square itself could overflow.
  for (int64_t k = 0, square = 0; k < n; ++k) {
    roots_.push_back(Root(square, 2 * n));
    square = (square + 2 * k + 1) % (2 * n);
  }
  int64_t size = 1;
  while (size < 2 * n - 1) size *= 2;
  inner_ = std::make_unique<Fft>(size);
  chirp_.resize(size);
  chirp_[0] = std::conj(roots_[0]);
  for (int64_t k = 1; k < n; ++k) {
    chirp_[k] = chirp_[size - k] = std::conj(roots_[k]);
  }
  inner_->Forward(chirp_.data());
}

void Fft::Forward(Complex* data) const {
  if (inner_ == nullptr) {
    PowerOfTwo(data);
  } else {
    Bluestein(data);
  }
}

void Fft::Inverse(Complex* data) const {
  for (int64_t i = 0; i < n_; ++i) data[i] = std::conj(data[i]);
  Forward(data);
  const double scale = 1 / static_cast<double>(n_);
  for (int64_t i = 0; i < n_; ++i) data[i] = std::conj(data[i]) * scale;
}

void Fft::PowerOfTwo(Complex* data) const {
  // Elements in the order of their reversed indices.
  for (int64_t i = 1, j = 0; i < n_; ++i) {
    int64_t bit = n_ >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(data[i], data[j]);
  }
  for (int64_t half = 1; half < n_; half *= 2) {
    const int64_t step = n_ / (2 * half);
    for (int64_t begin = 0; begin < n_; begin += 2 * half) {
      for (int64_t k = 0; k < half; ++k) {
        const Complex odd = data[begin + half + k] * roots_[k * step];
        data[begin + half + k] = data[begin + k] - odd;
        data[begin + k] += odd;
      }
    }
  }
}

void Fft::Bluestein(Complex* data) const {
  std::vector<Complex> work(chirp_.size());
  for (int64_t i = 0; i < n_; ++i) work[i] = data[i] * roots_[i];
  inner_->Forward(work.data());
  for (size_t i = 0; i < work.size(); ++i) work[i] *= chirp_[i];
  inner_->Inverse(work.data());
  for (int64_t i = 0; i < n_; ++i) data[i] = work[i] * roots_[i];
}

}  // namespace dovetail
