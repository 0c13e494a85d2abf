// AvgPool.
#ifndef DOVETAIL_CORE_OPS_POOLING_AVG_POOL_H_
#define DOVETAIL_CORE_OPS_POOLING_AVG_POOL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

// Versions 1 and 14; only the latter has the rounding ceil_torch.
struct AvgPoolAttributes : public AttributesOf<AvgPoolAttributes> {
  SlidingWindow window;  // dilations only in version 16
  std::vector<int64_t> kernel;
  // Whether a mean is that of the input's elements in the window alone, not of
  // the zeros around them too.
  bool exclude_pad = true;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("kernel", kernel);
    visitor.Visit("strides", window.strides);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
    visitor.Visit("exclude-pad", exclude_pad);
    visitor.Visit("auto_pad", window.auto_pad);
    visitor.Visit("rounding_type", window.rounding);
  }
};

// Version 16.
struct AvgPool16Attributes : public AttributesOf<AvgPool16Attributes> {
  AvgPoolAttributes base;

  void Visit(AttributeVisitor& visitor) override {
    base.Visit(visitor);
    visitor.Visit("dilations", base.window.dilations);
  }
};

// What all versions have.
const AvgPoolAttributes& AvgPoolAttributesOf(const Node& node);

// data [N, C, spatial …] -> means [N, C, …].
absl::Status InferAvgPool(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_POOLING_AVG_POOL_H_
