// Adds a Convert to a model.
#ifndef DOVETAIL_CORE_OPS_ADD_CONVERT_H_
#define DOVETAIL_CORE_OPS_ADD_CONVERT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Converts `value`, which is of `model`, to `type`. Errors are those of
// Model::Add.
absl::StatusOr<Node*> AddConvert(Model& model, Value value, ElementType type,
                                 absl::string_view name);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ADD_CONVERT_H_
