// One operation, element by element, on what a primitive computes, before it is
// stored.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OP_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OP_H_

#include <cstdint>

#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/core/graph/node.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

struct PostOp {
  enum class Kind : uint8_t { kEltwise, kBinary, kPRelu, kSum };

  Kind kind = Kind::kEltwise;
  dnnl::algorithm algorithm = dnnl::algorithm::undef;
  float alpha = 0, beta = 0;  // of element-wise ones
  // The second operand of others: channels, or a tensor of the result's shape.
  ChannelVector channels;
  Value tensor;
  ElementType tensor_type = ElementType::kF32;  // in which it is read
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_POST_OP_H_
