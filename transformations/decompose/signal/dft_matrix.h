// Matrices of discrete Fourier transforms, for row vectors. A complex vector of
// n numbers is one of 2 n reals: real and imaginary part in turn.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_SIGNAL_DFT_MATRIX_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_SIGNAL_DFT_MATRIX_H_

#include <cstdint>
#include <vector>

namespace dovetail {

enum class DftKind {
  kForward,      // y[k] = sum over j of x[j] * exp(-2 pi i j k / n)
  kInverse,      // y[k] = sum over j of x[j] * exp(2 pi i j k / n) / n
  kRealForward,  // real x; the n / 2 + 1 first y
  kRealInverse,  // the first half of x, whose other half mirrors it; real y
};

// How many numbers go into a transform of length n and come out of it.
int64_t DftInputs(DftKind kind, int64_t n);
int64_t DftOutputs(DftKind kind, int64_t n);

struct DftMatrix {
  int64_t rows = 0, columns = 0;
  std::vector<double> elements;
};

// The transform of length n of the first `inputs` numbers, at most
// DftInputs(kind, n); others are 0.
DftMatrix MakeDftMatrix(DftKind kind, int64_t n, int64_t inputs);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_SIGNAL_DFT_MATRIX_H_
