// Reads what AttributesText and TensorText of core/graph write.
#ifndef DOVETAIL_CORE_OPS_TEXT_READ_ATTRIBUTES_H_
#define DOVETAIL_CORE_OPS_TEXT_READ_ATTRIBUTES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/ops/text/scanner.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Sets attributes from "{axis: 1, mode: linear}", in any order; what is not
// there keeps its value. kInvalidArgument names an attribute that does not
// exist or whose value does not parse.
absl::Status ReadAttributes(Scanner& scanner, Attributes& attributes);

// "f32[2] {1, 2}"
absl::StatusOr<Tensor> ParseTensorText(absl::string_view text);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_TEXT_READ_ATTRIBUTES_H_
