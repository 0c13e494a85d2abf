// ResNet-50 (He et al., Deep Residual Learning for Image Recognition, 2016;
// strides in the 3 x 3 convolutions) with random weights, batch normalizations
// folded: what its layers are, for benchmarks.
#ifndef DOVETAIL_BACKENDS_CPU_BENCHMARKS_RESNET50_H_
#define DOVETAIL_BACKENDS_CPU_BENCHMARKS_RESNET50_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::cpu {

// A square convolution of one image.
struct ResNetConvolution {
  int64_t inputs, outputs;  // channels
  int64_t size;             // rows and columns of the input
  int64_t kernel, stride;   // padded by kernel / 2
  bool adds = false;        // a shortcut to the result before the activation
  bool relu = true;
};

// All 53, in order.
std::vector<ResNetConvolution> ResNet50Convolutions();

// The whole network, from [1,3,224,224] to [1,1000].
absl::StatusOr<std::unique_ptr<Model>> MakeResNet50();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_BENCHMARKS_RESNET50_H_
