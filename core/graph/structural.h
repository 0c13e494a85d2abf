// Attributes of the operations that the graph itself knows: where tensors come
// into it and what is written down in it. (Result has none.)
#ifndef DOVETAIL_CORE_GRAPH_STRUCTURAL_H_
#define DOVETAIL_CORE_GRAPH_STRUCTURAL_H_

#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// An input of a model or body: what it may be given.
struct ParameterAttributes : AttributesOf<ParameterAttributes> {
  PartialShape shape;
  ElementType element_type = ElementType::kDynamic;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("shape", shape);
    visitor.Visit("element_type", element_type);
  }
};

// The value of a constant. Clones share its memory, so nobody writes to it.
struct ConstantAttributes : AttributesOf<ConstantAttributes> {
  Tensor value;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("value", value);
  }
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_STRUCTURAL_H_
