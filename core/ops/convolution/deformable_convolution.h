// DeformableConvolution: a convolution that reads each element of a window at a
// place of its own, moved by an offset that is an input too.
#ifndef DOVETAIL_CORE_OPS_CONVOLUTION_DEFORMABLE_CONVOLUTION_H_
#define DOVETAIL_CORE_OPS_CONVOLUTION_DEFORMABLE_CONVOLUTION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

struct DeformableConvolutionAttributes
    : public AttributesOf<DeformableConvolutionAttributes> {
  SlidingWindow window;
  int64_t group = 1;             // of input and output channels
  int64_t deformable_group = 1;  // of input channels that share offsets

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("dilations", window.dilations);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
    visitor.Visit("auto_pad", window.auto_pad);
    visitor.Visit("group", group);
    visitor.Visit("deformable_group", deformable_group);
  }
};

// Version 8.
struct DeformableConvolution8Attributes
    : public AttributesOf<DeformableConvolution8Attributes> {
  DeformableConvolutionAttributes base;
  // Whether places up to one element outside of the input blend with zeros,
  // instead of being zero themselves.
  bool bilinear_interpolation_pad = false;

  void Visit(AttributeVisitor& visitor) override {
    base.Visit(visitor);
    visitor.Visit("bilinear_interpolation_pad", bilinear_interpolation_pad);
  }
};

// What both versions have.
const DeformableConvolutionAttributes& DeformableAttributesOf(const Node& node);

// data [N, I, H, W], offsets [N, deformable_group * h * w * 2, Ho, Wo],
// kernel [O, I / group, h, w] and, in version 8, perhaps a mask
// [N, deformable_group * h * w, Ho, Wo] -> [N, O, Ho, Wo].
absl::Status InferDeformableConvolution(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_CONVOLUTION_DEFORMABLE_CONVOLUTION_H_
