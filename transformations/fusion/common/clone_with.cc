#include "dovetail/transformations/fusion/common/clone_with.h"

#include <memory>
#include <utility>

namespace dovetail {

std::vector<Value> CloneAllWith(NodeBuilder& b, const Node& node,
                                const std::vector<Value>& inputs,
                                const AttributeList& attributes) {
  std::unique_ptr<Attributes> copy = node.op().make_attributes();
  b.Update(CopyAttributes(node.attributes(), *copy));
  b.Update(SetAttributes(attributes, *copy));
  return b.MakeAll(node.op(), inputs, std::move(copy));
}

Value CloneWith(NodeBuilder& b, const Node& node,
                const std::vector<Value>& inputs,
                const AttributeList& attributes) {
  return CloneAllWith(b, node, inputs, attributes)[0];
}

}  // namespace dovetail
