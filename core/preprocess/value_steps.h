// Steps that change the numbers of a tensor: element type, mean, scale.
#ifndef DOVETAIL_CORE_PREPROCESS_VALUE_STEPS_H_
#define DOVETAIL_CORE_PREPROCESS_VALUE_STEPS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/preprocess/step_context.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// kDynamic means the model's type. Every plane is converted.
absl::Status ConvertElementType(ElementType to, StepContext& context);

// Subtract-1 or Divide-1 by one number, or one a channel; numbers are floating
// point.
absl::Status ApplyByChannel(OpType operation, const std::vector<double>& values,
                            StepContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PREPROCESS_VALUE_STEPS_H_
