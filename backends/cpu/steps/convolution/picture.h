// Pictures of bytes, channels last, that a convolution reads as they are.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PICTURE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PICTURE_H_

#include <optional>
#include <vector>

#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

struct Picture {
  Value bytes;  // u8[N, H, W, C], no constant
  // For each channel: the convolution's data are (byte + added) * factors.
  std::vector<float> added, factors;
  // What makes the data of the bytes, from the Convert on, and the convolution.
  std::vector<const Node*> makers;
  const Node* convolution = nullptr;
};

// What begins with a Convert from bytes: Add or Subtract, then Multiply, both
// by constants, which may be missing, a Transpose to planes among them, and
// then the convolution. Nothing where others read what lies between, or the
// form is another.
std::optional<Picture> PictureFrom(const Node& convert);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_PICTURE_H_
