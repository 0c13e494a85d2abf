// Arithmetic on constants, done at once.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_FOLDING_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_FOLDING_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// What an operation makes of constants, as a constant; the empty Value, without
// an error, when an input is none or its kernel fails.
Value Folded(NodeBuilder& b, OpType type, const std::vector<Value>& inputs,
             const AttributeList& attributes = {});

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_FOLDING_H_
