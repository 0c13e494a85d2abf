// Pad: more elements at the ends of axes, or fewer.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_SLICING_PAD_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_SLICING_PAD_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class PadMode {
  kConstant,   // a given value, or 0
  kEdge,       // the first or last element again
  kReflect,    // mirrored at the first or last element
  kSymmetric,  // mirrored with the first or last element
};
absl::Span<const EnumName> EnumNames(PadMode);

struct PadAttributes : public AttributesOf<PadAttributes> {
  PadMode pad_mode = PadMode::kConstant;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("pad_mode", pad_mode);
  }
};

// Inputs: data, pads_begin, pads_end (one number an axis; negative numbers
// drop elements), pad_value (a scalar, optional).
absl::Status InferPad(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_SLICING_PAD_H_
