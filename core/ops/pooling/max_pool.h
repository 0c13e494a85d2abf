// MaxPool.
#ifndef DOVETAIL_CORE_OPS_POOLING_MAX_POOL_H_
#define DOVETAIL_CORE_OPS_POOLING_MAX_POOL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

// Version 1.
struct MaxPoolAttributes : public AttributesOf<MaxPoolAttributes> {
  SlidingWindow window;  // without dilations
  std::vector<int64_t> kernel;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
    visitor.Visit("kernel", kernel);
    visitor.Visit("rounding_type", window.rounding);
    visitor.Visit("auto_pad", window.auto_pad);
  }
};

// Versions 8 and 14; only the latter has the rounding ceil_torch.
struct MaxPool8Attributes : public AttributesOf<MaxPool8Attributes> {
  SlidingWindow window;
  std::vector<int64_t> kernel;
  ElementType index_element_type = ElementType::kI64;
  // Indices count elements of the data from this axis on.
  int64_t axis = 0;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("dilations", window.dilations);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
    visitor.Visit("kernel", kernel);
    visitor.Visit("rounding_type", window.rounding);
    visitor.Visit("auto_pad", window.auto_pad);
    visitor.Visit("index_element_type", index_element_type);
    visitor.Visit("axis", axis);
  }
};

// data [N, C, spatial …] -> greatest elements [N, C, …].
absl::Status InferMaxPool(InferContext& context);
// The same, and where they are.
absl::Status InferMaxPool8(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_POOLING_MAX_POOL_H_
