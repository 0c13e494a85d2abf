// Inference of the part of a model that has changed.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_INFER_FROM_PARAMETERS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_INFER_FROM_PARAMETERS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Infers the parameters of a model, whose attributes have changed, and all that
// depends on them. The other nodes' outputs have to be known already: weights
// are most of a model. Errors as of Model::Infer.
absl::Status InferFromParameters(Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_INFER_FROM_PARAMETERS_H_
