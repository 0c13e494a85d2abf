// Pictures of floats that a convolution of integers reads as they are, where the
// model quantizes them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_QUANTIZED_PICTURE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_QUANTIZED_PICTURE_H_

#include <optional>
#include <vector>

#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

struct QuantizedPicture {
  Value floats;  // f32[N, C, H, W], no constant
  // For each channel: the convolution's data are x * scale + shift, to the
  // nearest integer, to the even one of two, from low to high.
  std::vector<float> scale, shift;
  float low = 0, high = 0;  // whole numbers
  // What makes the data, without what makes floats of them again, and the
  // convolution, whose only data they are.
  std::vector<const Node*> makers;
  const Node* convolution = nullptr;
};

// Scales and biases of a few channels, FakeQuantize to bytes, and the
// convolution, from `first` on. Nothing where others read what lies between, or
// the form is another.
std::optional<QuantizedPicture> QuantizedPictureFrom(
    const Node& first, const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_QUANTIZED_PICTURE_H_
