// BinaryConvolution.
#ifndef DOVETAIL_CORE_OPS_CONVOLUTION_BINARY_CONVOLUTION_H_
#define DOVETAIL_CORE_OPS_CONVOLUTION_BINARY_CONVOLUTION_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

// How bits stand for numbers: 1 for 1 and 0 for -1.
enum class BinaryConvolutionMode { kXnorPopcount };
absl::Span<const EnumName> EnumNames(BinaryConvolutionMode);

struct BinaryConvolutionAttributes
    : public AttributesOf<BinaryConvolutionAttributes> {
  SlidingWindow window;
  BinaryConvolutionMode mode = BinaryConvolutionMode::kXnorPopcount;
  // What elements around the input count as: 1 as a bit 1, -1 as a bit 0, 0 not
  // at all.
  double pad_value = 0;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
    visitor.Visit("dilations", window.dilations);
    visitor.Visit("auto_pad", window.auto_pad);
    visitor.Visit("mode", mode);
    visitor.Visit("pad_value", pad_value);
  }
};

// data [N, I, H, W], kernel u1 [O, I, h, w] -> [N, O, …] of data's type.
absl::Status InferBinaryConvolution(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONVOLUTION_BINARY_CONVOLUTION_H_
