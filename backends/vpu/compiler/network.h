// A model as the compiler sees it: layers in the order in which they run, each
// of a kind that a unit of the processor can do. Shapes without values.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_NETWORK_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_NETWORK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"

namespace dovetail::vpu {

enum class LayerKind {
  kInput,        // converted from u8
  kConvolution,  // of an engine; a fully connected layer too
  kPool,         // of an engine
  kProducts,     // multiply-adds of SHAVEs
  kBinary,       // element by element, of two inputs, of SHAVEs
  kUnary,        // the same of one input
  kCopy,         // of DMA
  kView,         // of nobody
  kConcat,       // of nobody, but for inputs that have to be copied
  kCustom,       // kernels of a user's own, of SHAVEs
};

struct Layer {
  std::string name;
  std::string type;
  LayerKind kind = LayerKind::kView;
  ConvShape shape;      // kConvolution (of one group), kPool; else output
  int64_t repeats = 1;  // of shape: batch, groups
  int64_t macs = 0;
  int64_t activation = 0;   // 1 where one goes into this layer
  int64_t elements = 0;     // of the output
  int64_t host_bytes = 0;   // over the host's link, in or out
  std::vector<int> inputs;  // indices of earlier layers
  std::string reason;       // why not another kind

  bool operator==(const Layer&) const = default;
};

using Network = std::vector<Layer>;

// Bytes of the output in CMX, where rows are whole lines.
inline int64_t OutputBytes(const Layer& layer) {
  return layer.repeats * RowBytes(layer.shape.out_width) *
         layer.shape.out_height * layer.shape.out_channels;
}

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_NETWORK_H_
