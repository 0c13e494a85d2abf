// ReadValue and Assign: variables that keep their values between inferences.
#ifndef DOVETAIL_CORE_OPS_STATE_VARIABLE_H_
#define DOVETAIL_CORE_OPS_STATE_VARIABLE_H_

#include <string>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Of Assign, and of ReadValue before version 6.
struct VariableAttributes : public AttributesOf<VariableAttributes> {
  std::string variable_id;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("variable_id", variable_id);
  }
};

// Of ReadValue from version 6 on: it says what the variable can hold.
struct ReadValueAttributes : public AttributesOf<ReadValueAttributes> {
  std::string variable_id;
  ElementType variable_type = ElementType::kDynamic;
  PartialShape variable_shape;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("variable_id", variable_id);
    visitor.Visit("variable_type", variable_type);
    visitor.Visit("variable_shape", variable_shape);
  }
};

// The variable that a ReadValue or Assign is about; null for other nodes.
const std::string* VariableIdOf(const Node& node);

// Initial value -> the variable's value; of one type and shape before version
// 6, where the initial value may be left out, of the variable's from then on.
absl::Status InferReadValue(InferContext& context);
// New value -> the same value.
absl::Status InferAssign(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_STATE_VARIABLE_H_
