// Convolution and GroupConvolution.
#ifndef DOVETAIL_CORE_OPS_CONVOLUTION_CONVOLUTION_H_
#define DOVETAIL_CORE_OPS_CONVOLUTION_CONVOLUTION_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

// Of both operations. Rounding is always down.
struct ConvolutionAttributes : public AttributesOf<ConvolutionAttributes> {
  SlidingWindow window;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("dilations", window.dilations);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
    visitor.Visit("auto_pad", window.auto_pad);
  }
};

// data [N, I, spatial …], kernel [O, I, spatial …] -> [N, O, spatial …].
absl::Status InferConvolution(InferContext& context);
// data [N, I, spatial …], kernel [G, O / G, I / G, spatial …]
// -> [N, O, spatial …].
absl::Status InferGroupConvolution(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONVOLUTION_CONVOLUTION_H_
