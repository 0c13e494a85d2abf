// One operation, element by element, on what a primitive computes, before it is
// stored.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_POST_OP_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_POST_OP_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/graph/node.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

struct PostOp {
  enum class Kind : uint8_t { kEltwise, kBinary, kPRelu, kSum };

  static PostOp Eltwise(dnnl::algorithm algorithm, float alpha = 0,
                        float beta = 0);
  static PostOp Binary(dnnl::algorithm algorithm, std::vector<float> numbers);

  Kind kind = Kind::kEltwise;
  dnnl::algorithm algorithm = dnnl::algorithm::undef;
  float alpha = 0, beta = 0;  // of element-wise ones
  // The second operand of others: numbers, one for each channel, or a tensor of
  // the result's shape.
  std::vector<float> numbers;
  Value tensor;
  // Of a tensor of bytes: what its floats are, tensor * scale + shift.
  float scale = 1, shift = 0;
};

// Appends x * scale + shift, with one number a channel: one operation where all
// channels have the same, none where nothing changes.
void AppendLinear(const std::vector<float>& scale,
                  const std::vector<float>& shift, std::vector<PostOp>& ops);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_POST_OP_H_
