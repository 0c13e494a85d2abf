// The discrete Fourier transform of one sequence of any length.
#ifndef DOVETAIL_CORE_REFERENCE_SIGNAL_FFT_H_
#define DOVETAIL_CORE_REFERENCE_SIGNAL_FFT_H_

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace dovetail {

// Prepared for one length n, then used for many sequences, from any thread.
// Powers of two are split in halves (Cooley and Tukey, 1965), other lengths
// become a convolution of a power of two's length (Bluestein, 1970), so that
// all take n log n steps.
class Fft {
 public:
  using Complex = std::complex<double>;

  explicit Fft(int64_t n);

  // y[k] = sum of x[j] exp(-2 pi i j k / n), in place.
  void Forward(Complex* data) const;
  // The same with +2 pi, divided by n: the inverse of Forward.
  void Inverse(Complex* data) const;

 private:
  void PowerOfTwo(Complex* data) const;
  void Bluestein(Complex* data) const;

  int64_t n_;
  std::vector<Complex> roots_;  // exp(-2 pi i k / n), or k^2 / 2n for Bluestein
  // Of Bluestein: the transform that convolves, and the transformed chirp.
  std::unique_ptr<Fft> inner_;
  std::vector<Complex> chirp_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_SIGNAL_FFT_H_
