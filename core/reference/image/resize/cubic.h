// The kernel of cubic convolution.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_CUBIC_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_CUBIC_H_

#include <cmath>

namespace dovetail {

// R. Keys, "Cubic convolution interpolation for digital image processing"
// (1981): the weight of an element at distance `d`, 0 from distance 2 on. The
// coefficient is the slope at distance 1.
inline double CubicConvolution(double d, double coeff) {
  d = std::fabs(d);
  if (d < 1) return ((coeff + 2) * d - (coeff + 3)) * d * d + 1;
  if (d < 2) return (((d - 5) * d + 8) * d - 4) * coeff;
  return 0;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_CUBIC_H_
