#include "dovetail/testing/conformance/element_types/retype.h"

#include <string>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {
namespace {

class Retyper : public EachAttribute<Retyper> {
 public:
  Retyper(ElementType from, ElementType to) : from_(from), to_(to) {}

  template <typename T>
  void Each(absl::string_view, T&) {}
  void Each(absl::string_view, ElementType& type) {
    if (type == from_) type = to_;
  }
  void Each(absl::string_view, Tensor& tensor) {
    if (tensor.type() != from_) return;
    absl::StatusOr<Tensor> retyped = Retyped(tensor, to_);
    if (retyped.ok()) tensor = *std::move(retyped);
  }

 protected:
  void VisitEnum(absl::string_view, int&, absl::Span<const EnumName>) override {
  }

 private:
  const ElementType from_, to_;
};

// Makes 1 of what an integer has no room for, so that sizes stay sizes, and
// divisors do not become 0.
void KeepSigns(const Tensor& before, Tensor& after) {
  for (int64_t i = 0; i < before.element_count(); ++i) {
    const double was = before.ElementAsDouble(i);
    const double is = after.ElementAsDouble(i);
    if ((was != 0 && is == 0) || (was > 0 && is < 0)) after.SetElement(i, 1);
  }
}

}  // namespace

absl::StatusOr<Tensor> Retyped(const Tensor& tensor, ElementType type) {
  const bool was_text = tensor.type() == ElementType::kString;
  const bool is_text = type == ElementType::kString;
  if (was_text && is_text) return tensor;
  if (was_text == is_text) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor numbers, ConvertTensor(tensor, type));
    if (IsInteger(type)) KeepSigns(tensor, numbers);
    return numbers;
  }
  DOVETAIL_ASSIGN_OR_RETURN(Tensor other,
                            Tensor::Allocate(type, tensor.shape()));
  if (is_text) {
    for (std::string& text : other.mutable_span<std::string>()) text = "text";
  }
  return other;
}

absl::Status RetypeAttributes(Node& node, ElementType from, ElementType to) {
  Retyper retyper(from, to);
  node.attributes().Visit(retyper);
  for (const auto& body : node.bodies()) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              body->model->TopologicalOrder());
    for (Node* inner : order) {
      DOVETAIL_RETURN_IF_ERROR(RetypeAttributes(*inner, from, to));
      DOVETAIL_RETURN_IF_ERROR(inner->Infer());
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail
