// Activation functions of recurrent cells, applied to clipped sums.
#ifndef DOVETAIL_CORE_REFERENCE_RECURRENT_FUNCTIONS_H_
#define DOVETAIL_CORE_REFERENCE_RECURRENT_FUNCTIONS_H_

#include <cmath>

#include "dovetail/core/ops/recurrent/activation.h"

namespace dovetail {

template <typename T>
T Activate(const CellActivation& activation, T x) {
  switch (activation.function) {
    case CellFunction::kSigmoid: return 1 / (1 + std::exp(-x));
    case CellFunction::kTanh: return std::tanh(x);
    case CellFunction::kRelu: return x < 0 ? T(0) : x;
    case CellFunction::kHardSigmoid: {
      const T y = static_cast<T>(activation.alpha) * x +
                  static_cast<T>(activation.beta);
      return std::fmax(T(0), std::fmin(T(1), y));
    }
  }
  return x;
}

// Cuts x to [-clip, clip]; a clip of 0 is none. NaN stays.
template <typename T>
T Clipped(T x, double clip) {
  if (clip == 0) return x;
  const T bound = static_cast<T>(clip);
  return x < -bound ? -bound : x > bound ? bound : x;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RECURRENT_FUNCTIONS_H_
