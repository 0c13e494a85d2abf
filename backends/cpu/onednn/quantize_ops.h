// FakeQuantize as post-operations.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_QUANTIZE_OPS_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_QUANTIZE_OPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/backends/cpu/onednn/post_op.h"

namespace dovetail::cpu {

// Constant ranges, each with one number a channel.
struct QuantizeRanges {
  int64_t levels = 0;
  std::vector<float> in_low, in_high, out_low, out_high;
};

struct QuantizeOps {
  // round(x * scale + shift) within [0, levels - 1], then to the output range;
  // the order of roundings is the reference kernel's.
  std::vector<PostOp> ops;
  // Whether the results are the whole numbers from low to high.
  bool is_whole = false;
  float low = 0, high = 0;
  // What is enough where whole numbers are stored as integers, which rounds and
  // limits too.
  std::vector<PostOp> ops_before_convert;
};

// Nothing where the levels are too many to round by post-operations, or an
// input range is empty.
std::optional<QuantizeOps> QuantizeOpsOf(const QuantizeRanges& ranges);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_QUANTIZE_OPS_H_
