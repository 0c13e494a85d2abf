// Makes a node like another one.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_CLONE_WITH_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_CLONE_WITH_H_

#include <vector>

#include "dovetail/core/graph/node.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// A node of the same operation with other inputs and the same attributes, but
// for those listed: its first output, or all of them.
Value CloneWith(NodeBuilder& b, const Node& node,
                const std::vector<Value>& inputs,
                const AttributeList& attributes = {});
std::vector<Value> CloneAllWith(NodeBuilder& b, const Node& node,
                                const std::vector<Value>& inputs,
                                const AttributeList& attributes = {});

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_COMMON_CLONE_WITH_H_
