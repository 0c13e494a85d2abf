// FakeConvert: round to an 8-bit float, without leaving the type.
#ifndef DOVETAIL_CORE_OPS_QUANTIZATION_FAKE_CONVERT_H_
#define DOVETAIL_CORE_OPS_QUANTIZATION_FAKE_CONVERT_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

struct FakeConvertAttributes : public AttributesOf<FakeConvertAttributes> {
  ElementType destination_type = ElementType::kF8E4M3;  // or f8e5m2
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("destination_type", destination_type);
  }
};

// data, scale, shift (0 when left out) -> the shape of data.
absl::Status InferFakeConvert(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_QUANTIZATION_FAKE_CONVERT_H_
