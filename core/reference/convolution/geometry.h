// Extents of a convolution with everything known.
#ifndef DOVETAIL_CORE_REFERENCE_CONVOLUTION_GEOMETRY_H_
#define DOVETAIL_CORE_REFERENCE_CONVOLUTION_GEOMETRY_H_

#include <array>
#include <cstdint>

#include "dovetail/core/ops/common/window.h"

namespace dovetail {

// Missing outer axes are windows of one element over one element.
using SpatialAxes = std::array<WindowAxis, 3>;

struct ConvolutionGeometry {
  int64_t batch = 1;
  int64_t groups = 1;
  int64_t inputs = 1;   // channels of a group
  int64_t outputs = 1;  // channels of a group
  SpatialAxes axes;

  int64_t input_plane() const {
    return axes[0].input * axes[1].input * axes[2].input;
  }
  int64_t output_plane() const {
    return axes[0].output * axes[1].output * axes[2].output;
  }
  int64_t kernel_plane() const {
    return axes[0].kernel * axes[1].kernel * axes[2].kernel;
  }
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONVOLUTION_GEOMETRY_H_
