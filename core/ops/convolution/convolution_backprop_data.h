// ConvolutionBackpropData and GroupConvolutionBackpropData: the gradient of a
// convolution with respect to its data, also called transposed convolution.
#ifndef DOVETAIL_CORE_OPS_CONVOLUTION_CONVOLUTION_BACKPROP_DATA_H_
#define DOVETAIL_CORE_OPS_CONVOLUTION_CONVOLUTION_BACKPROP_DATA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

// Of both operations. Paddings are cut off the output.
struct ConvolutionBackpropDataAttributes
    : public AttributesOf<ConvolutionBackpropDataAttributes> {
  SlidingWindow window;
  std::vector<int64_t> output_padding;  // added to each extent; empty: 0

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("dilations", window.dilations);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
    visitor.Visit("auto_pad", window.auto_pad);
    visitor.Visit("output_padding", output_padding);
  }
};

// data [N, I, spatial …], kernel [I, O, spatial …], and perhaps the spatial
// extents of the output -> [N, O, spatial …].
absl::Status InferConvolutionBackpropData(InferContext& context);
// The same with a kernel [G, I / G, O / G, spatial …].
absl::Status InferGroupConvolutionBackpropData(InferContext& context);

// An axis while a kernel runs. Its `input` and `output` are those of the
// convolution whose gradient it is, so `input` is the extent of the result and
// `output` that of the data.
WindowAxis ResolveBackpropWindow(
    const ConvolutionBackpropDataAttributes& attributes, int axis, int64_t data,
    int64_t kernel, int64_t result, bool has_output_shape);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONVOLUTION_CONVOLUTION_BACKPROP_DATA_H_
