// The beginning of a quantized epilogue as scales and a bias.
#ifndef DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_FOLDED_QUANTIZATION_H_
#define DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_FOLDED_QUANTIZATION_H_

#include <cstddef>
#include <optional>

#include "dovetail/backends/common/fusion/epilogue.h"

namespace dovetail::cpu {

// Scales, biases and limits up to FakeQuantize, of sums x:
//
//   q = min(max(round(x * scale + bias), low), high); q * step + offset
//
// and, where that is stored at once as bytes, q alone.
struct FoldedQuantization {
  size_t stages = 0;  // that it is, but StoreOp
  ChannelVector scale, bias;
  ChannelVector low, high;  // whole numbers
  // Whether bytes are stored, whose rounding and limits are those of the type.
  bool is_stored = false;
  // Those that the type does not limit to by itself.
  bool limits_low = true, limits_high = true;
  ChannelVector step, offset;
};

// Nothing where an epilogue does not begin so. Kernels spend on each operation
// behind a sum about as much as on a few products: few channels make few of
// these. Rounding differs from that of the operations one by one in the last
// bits of an f32, which is seen where a number lies next to a tie.
std::optional<FoldedQuantization> FoldQuantization(const Epilogue& epilogue);

// Whether the store behind a quantization, null without one, rounds to its
// whole numbers by itself, and limits to them as far as the type does. An odd
// offset would make the other neighbour of a tie the even one.
bool StoresAsItIs(const QuantizeOp& quantize, const StoreOp* store);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ONEDNN_EPILOGUE_FOLDED_QUANTIZATION_H_
