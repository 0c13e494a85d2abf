#include "dovetail/transformations/decompose/signal/dft_matrix.h"

#include <cmath>
#include <complex>

namespace dovetail {
namespace {

using Complex = std::complex<double>;

bool HasRealInput(DftKind kind) { return kind == DftKind::kRealForward; }
bool HasRealOutput(DftKind kind) { return kind == DftKind::kRealInverse; }

// What x[j] adds to y[k], but for the mirrored half of a real inverse.
Complex Factor(DftKind kind, int64_t n, int64_t j, int64_t k) {
  const bool inverse =
      kind == DftKind::kInverse || kind == DftKind::kRealInverse;
  // The angle in one turn: j * k itself would lose digits.
  const double turn =
      static_cast<double>(j * k % n) / static_cast<double>(n);
  const Complex factor =
      std::polar(1.0, (inverse ? 2 : -2) * M_PI * turn);
  return inverse ? factor / static_cast<double>(n) : factor;
}

}  // namespace

int64_t DftInputs(DftKind kind, int64_t n) {
  return kind == DftKind::kRealInverse ? n / 2 + 1 : n;
}

int64_t DftOutputs(DftKind kind, int64_t n) {
  return kind == DftKind::kRealForward ? n / 2 + 1 : n;
}

DftMatrix MakeDftMatrix(DftKind kind, int64_t n, int64_t inputs) {
  const int64_t in = HasRealInput(kind) ? 1 : 2;
  const int64_t out = HasRealOutput(kind) ? 1 : 2;
  const int64_t outputs = DftOutputs(kind, n);
  DftMatrix matrix = {inputs * in, outputs * out, {}};
  matrix.elements.resize(matrix.rows * matrix.columns);
  for (int64_t j = 0; j < inputs; ++j) {
    // x[n - j] is the conjugate of x[j], unless they are the same.
    const double times =
        HasRealOutput(kind) && j > 0 && 2 * j != n ? 2 : 1;
    for (int64_t k = 0; k < outputs; ++k) {
      const Complex factor = times * Factor(kind, n, j, k);
      double* const at =
          matrix.elements.data() + j * in * matrix.columns + k * out;
      at[0] = factor.real();
      if (out == 2) at[1] = factor.imag();
      if (in == 1) continue;
      // i * factor
      at[matrix.columns] = -factor.imag();
      if (out == 2) at[matrix.columns + 1] = factor.real();
    }
  }
  return matrix;
}

}  // namespace dovetail
