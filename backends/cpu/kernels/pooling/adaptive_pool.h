// Pooling of f32 by windows that cover the input as evenly as they can, so that
// some have an element more than others.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_POOLING_ADAPTIVE_POOL_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_POOLING_ADAPTIVE_POOL_H_

#include <array>
#include <cstdint>

namespace dovetail::cpu {

// Window o covers the input's elements [Begin(o), End(o)).
struct AdaptiveAxis {
  int64_t input = 1, output = 1;

  int64_t Begin(int64_t o) const { return o * input / output; }
  int64_t End(int64_t o) const {
    return ((o + 1) * input + output - 1) / output;
  }
};

struct AdaptivePoolShape {
  bool takes_maxima = false;  // or means
  int64_t planes = 1;         // batch times channels
  // Spatial axes in order; outer ones that there are not have one element.
  std::array<AdaptiveAxis, 3> axes;

  int64_t input_plane() const {
    return axes[0].input * axes[1].input * axes[2].input;
  }
  int64_t output_plane() const {
    return axes[0].output * axes[1].output * axes[2].output;
  }
};

// Planes [begin, end) of [planes, spatial …]. `row` has place for as many
// floats as the last axis of the input.
void AdaptivePool(const AdaptivePoolShape& shape, const float* input,
                  int64_t begin, int64_t end, float* row, float* output);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_POOLING_ADAPTIVE_POOL_H_
