#include "dovetail/core/reference/elementwise/erf_inv.h"

#include <cmath>
#include <limits>

namespace dovetail {
namespace {

// Within 2e-3 of the result: Winitzki's formula ("A handy approximation for
// the error function and its inverse", 2008) with a = 0.147.
double FirstGuess(double y) {
  const double a = 0.147;
  const double log_term = std::log1p(-y * y);
  const double half = 2 / (M_PI * a) + log_term / 2;
  return std::copysign(std::sqrt(std::sqrt(half * half - log_term / a) - half),
                       y);
}

}  // namespace

double ErfInv(double y) {
  if (!(std::fabs(y) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(y) == 1) {
    return std::copysign(std::numeric_limits<double>::infinity(), y);
  }
  if (y == 0) return y;
  // Halley's method; the error's size near ±1 is kept by erfc, of which 1 - |y|
  // is the exact value.
  const double sign = y < 0 ? -1 : 1;
  const double rest = 1 - std::fabs(y);
  double x = std::fabs(FirstGuess(y));
  for (int step = 0; step < 3; ++step) {
    const double error =
        std::fabs(y) < 0.5 ? std::erf(x) - std::fabs(y) : rest - std::erfc(x);
    const double newton = error * std::sqrt(M_PI) / 2 * std::exp(x * x);
    x -= newton / (1 + x * newton);
  }
  return sign * x;
}

}  // namespace dovetail
