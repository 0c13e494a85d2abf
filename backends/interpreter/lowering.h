// From a user's model to the one that the interpreter runs.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_LOWERING_H_
#define DOVETAIL_BACKENDS_INTERPRETER_LOWERING_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/properties/config.h"

namespace dovetail {

// Only passes that keep the meaning: the precision that the configuration asks
// for, then constant folding, merging of equal nodes, nops and dead code.
absl::Status LowerForInterpreter(Model& model, const Config& config);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_LOWERING_H_
