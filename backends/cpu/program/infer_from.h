// Inference of the part of a model that has changed.
#ifndef DOVETAIL_BACKENDS_CPU_PROGRAM_INFER_FROM_H_
#define DOVETAIL_BACKENDS_CPU_PROGRAM_INFER_FROM_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::cpu {

// Infers the parameters of a model, whose attributes have changed, and all that
// depends on them. The other nodes' outputs have to be known already: weights
// are most of a model. Errors as of Model::Infer.
absl::Status InferFromParameters(Model& model);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_PROGRAM_INFER_FROM_H_
