// Users address a model's outputs by names, which no pass may change.
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_OUTPUT_NAMES_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_OUTPUT_NAMES_H_

#include "dovetail/core/graph/node.h"

namespace dovetail {

// Whether every input and output goes by the same names after
// Model::ReplaceUses(from, to): names move to `to`, which must not have names
// of its own or be an output or input already.
bool KeepsOutputNames(Value from, Value to);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_OUTPUT_NAMES_H_
