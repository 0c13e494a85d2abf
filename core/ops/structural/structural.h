// The operations that a model is strung between: Parameter, Constant, Result;
// and Identity. Their attributes are in core/graph/structural.h.
#ifndef DOVETAIL_CORE_OPS_STRUCTURAL_STRUCTURAL_H_
#define DOVETAIL_CORE_OPS_STRUCTURAL_STRUCTURAL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

absl::Status InferParameter(InferContext& context);
// Also notes the elements as known values.
absl::Status InferConstant(InferContext& context);
// A result has no output: what it is given is the model's output.
absl::Status InferResult(InferContext& context);
absl::Status InferIdentity(InferContext& context);

// Short ways to add these nodes; errors as Model::Add.
absl::StatusOr<Node*> AddParameter(Model& model, ElementType type,
                                   const PartialShape& shape,
                                   absl::string_view name = "");
absl::StatusOr<Node*> AddConstant(Model& model, const Tensor& value,
                                  absl::string_view name = "");
absl::StatusOr<Node*> AddResult(Model& model, Value value,
                                absl::string_view name = "");

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STRUCTURAL_STRUCTURAL_H_
