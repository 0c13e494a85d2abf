#include "dovetail/testing/conformance/mutation/mutator.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/testing/conformance/mutation/mutate_attributes.h"
#include "dovetail/testing/conformance/mutation/mutate_tensor.h"
#include "dovetail/testing/conformance/mutation/special_values.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxElements = 3000;

// A node and the model that it is in: the subject's or a body.
struct Place {
  Model* model;
  Node* node;
};

void CollectPlaces(Model& model, std::vector<Place>* places) {
  for (const auto& node : model.nodes()) {
    places->push_back({&model, node.get()});
    for (const auto& body : node->bodies()) {
      CollectPlaces(*body->model, places);
    }
  }
}

// As a constant: readers of files make booleans 0 or 1, as nobody does for
// inputs.
Tensor Written(const Tensor& tensor) {
  if (tensor.type() != ElementType::kBoolean) return tensor;
  absl::StatusOr<Tensor> copy = tensor.Clone();
  if (!copy.ok()) return tensor;
  for (uint8_t& byte : copy->mutable_span<uint8_t>()) byte = byte != 0;
  return *std::move(copy);
}

class Mutation {
 public:
  Mutation(Random& random, Subject& subject)
      : random_(random), subject_(subject) {
    CollectPlaces(*subject.model, &places_);
    for (const Place& place : places_) NoteExtents(*place.node);
  }

  // One change; "" when there was nothing to change in the way that chance
  // wanted.
  std::string Run() {
    switch (random_.Below(20)) {
      case 0:
      case 1:
      case 2:
      case 3: return ChangeInput();
      case 4:
      case 5:
      case 6: return ChangeConstant();
      case 7:
      case 8:
      case 9:
      case 10:
      case 11: return ChangeAttribute();
      case 12: return random_.OneIn(2) ? ChangeTensor() : ChangeTypes();
      case 13: return ForgetShape();
      case 14: return ChangeParameter();
      case 15: return ChangeConnections();
      case 16: return ReadFromInput();
      case 17: return MakeConstant();
      default: return ChangeBody();
    }
  }

 private:
  void NoteExtents(const Node& node) {
    for (int i = 0; i < node.output_count(); ++i) {
      const PartialShape& shape = node.port(i).shape;
      if (!shape.rank_known()) continue;
      extents_.push_back(shape.rank());
      for (const Dimension& dim : shape) extents_.push_back(dim.min());
    }
  }

  // The index of an input that has a tensor; -1 when there is none.
  int AnyInput() {
    const size_t count = std::min(subject_.inputs.size(),
                                  subject_.model->parameters().size());
    return count == 0 ? -1 : static_cast<int>(random_.Below(count));
  }

  // A node of these attributes, anywhere; a null node when there is none.
  template <typename T>
  Place Any() {
    std::vector<Place> found;
    for (const Place& place : places_) {
      if (place.node->As<T>() != nullptr) found.push_back(place);
    }
    return found.empty() ? Place{} : random_.Of(found);
  }

  std::string ChangeInput() {
    const int i = AnyInput();
    if (i < 0) return "";
    Tensor& input = subject_.inputs[i];
    input = WithOtherElements(random_, input, extents_);
    return absl::StrCat("elements of input ", i);
  }

  std::string ChangeConstant() {
    const Place place = Any<ConstantAttributes>();
    if (place.node == nullptr) return ChangeInput();
    Tensor& value = place.node->As<ConstantAttributes>()->value;
    value = Written(WithOtherElements(random_, value, extents_));
    return absl::StrCat("elements of ", place.node->name());
  }

  std::string ChangeAttribute() {
    std::vector<Node*> nodes;
    for (const Place& place : places_) {
      // Those have changes of their own.
      if (place.node->As<ConstantAttributes>() != nullptr) continue;
      if (place.node->As<ParameterAttributes>() != nullptr) continue;
      if (place.node->As<NoAttributes>() != nullptr) continue;
      nodes.push_back(place.node);
    }
    if (nodes.empty()) return "";
    Node& node = *random_.Of(nodes);
    const std::string name =
        MutateAttribute(random_, extents_, node.attributes());
    return absl::StrCat("attribute ", name, " of ", node.name());
  }

  // Another shape or type.
  Tensor Reshaped(const Tensor& tensor) {
    if (!random_.OneIn(3)) {
      const Shape shape = SpecialShape(random_, tensor.shape(), kMaxElements);
      return InShape(tensor, shape);
    }
    const ElementType type = SpecialType(random_);
    return type == ElementType::kDynamic ? tensor : InType(tensor, type);
  }

  // Of an input, with its parameter's, or of a constant.
  std::string ChangeTensor() {
    const Place constant = Any<ConstantAttributes>();
    if (constant.node != nullptr && random_.OneIn(3)) {
      Tensor& value = constant.node->As<ConstantAttributes>()->value;
      value = Reshaped(value);
      return absl::StrCat("tensor of ", constant.node->name());
    }
    const int i = AnyInput();
    if (i < 0) return "";
    auto* parameter =
        subject_.model->parameters()[i]->As<ParameterAttributes>();
    Tensor& input = subject_.inputs[i];
    input = Reshaped(input);
    if (!parameter->shape.Contains(input.shape())) {
      parameter->shape = input.shape();
    }
    if (parameter->element_type != ElementType::kDynamic) {
      parameter->element_type = input.type();
    }
    return absl::StrCat("tensor of input ", i);
  }

  // Every tensor of one type gets another: what has to agree still does.
  std::string ChangeTypes() {
    const int i = AnyInput();
    if (i < 0) return "";
    const ElementType from = subject_.inputs[i].type();
    const ElementType to = SpecialType(random_);
    if (to == ElementType::kDynamic) return "";
    for (Tensor& input : subject_.inputs) {
      if (input.type() == from) input = InType(input, to);
    }
    for (const Place& place : places_) {
      auto* parameter = place.node->As<ParameterAttributes>();
      if (parameter != nullptr && parameter->element_type == from) {
        parameter->element_type = to;
      }
      auto* constant = place.node->As<ConstantAttributes>();
      if (constant != nullptr && constant->value.type() == from) {
        constant->value = InType(constant->value, to);
      }
    }
    return absl::StrCat(ElementTypeName(from), " is ", ElementTypeName(to));
  }

  // So that only the running kernel sees what is wrong.
  std::string ForgetShape() {
    const Place place = Any<ParameterAttributes>();
    if (place.node == nullptr) return "";
    PartialShape& shape = place.node->As<ParameterAttributes>()->shape;
    shape = LessKnown(random_, std::move(shape));
    return absl::StrCat("less of the shape of ", place.node->name());
  }

  // To what its tensor may not fit.
  std::string ChangeParameter() {
    const Place place = Any<ParameterAttributes>();
    if (place.node == nullptr) return "";
    auto* parameter = place.node->As<ParameterAttributes>();
    if (random_.OneIn(4)) {
      parameter->element_type = SpecialType(random_);
    } else {
      parameter->shape = SpecialPartialShape(random_, parameter->shape);
    }
    return absl::StrCat("declaration of ", place.node->name());
  }

  std::string ChangeConnections() {
    const Place place = random_.Of(places_);
    Node& node = *place.node;
    if (node.input_count() == 0) return "";
    const int count = node.input_count();
    const int input = static_cast<int>(random_.Below(count));
    const Value value = node.input(static_cast<int>(random_.Below(count)));
    switch (random_.Below(4)) {
      case 0:
        if (node.op().inputs.Contains(count - 1)) {
          node.TruncateInputs(count - 1);
        }
        break;
      case 1:
        if (node.op().inputs.Contains(count + 1)) node.AddInput(value);
        break;
      default:
        node.SetInput(input, value);
    }
    return absl::StrCat("connections of ", node.name());
  }

  // A constant of the subject itself becomes an input: kernels get as values
  // what inference cannot see.
  std::string ReadFromInput() {
    const Place place = Any<ConstantAttributes>();
    if (place.node == nullptr || place.model != subject_.model.get()) return "";
    const Tensor value = place.node->As<ConstantAttributes>()->value;
    auto attributes = std::make_unique<ParameterAttributes>();
    attributes->shape = value.shape();
    if (random_.OneIn(2)) {
      attributes->shape = LessKnown(random_, attributes->shape);
    }
    attributes->element_type = value.type();
    const std::string name = place.node->name();
    Replace(*place.node, "Parameter", std::move(attributes));
    subject_.inputs.push_back(value);
    return absl::StrCat(name, " is an input");
  }

  // An input becomes a constant: inference sees its values.
  std::string MakeConstant() {
    const int i = AnyInput();
    if (i < 0) return "";
    auto attributes = std::make_unique<ConstantAttributes>();
    attributes->value = Written(subject_.inputs[i]);
    Replace(*subject_.model->parameters()[i], "Constant",
            std::move(attributes));
    subject_.inputs.erase(subject_.inputs.begin() + i);
    return absl::StrCat("input ", i, " is a constant");
  }

  void Replace(Node& node, OpType type,
               std::unique_ptr<Attributes> attributes) {
    Model& model = *subject_.model;
    const std::string name = node.name();
    Node* const replacement =
        model.AddUninferred(*FindOp(type), {}, std::move(attributes), name);
    model.ReplaceUses(node.output(), replacement->output());
    model.RemoveNode(&node);
  }

  std::string ChangeBody() {
    std::vector<Node*> nodes;
    for (const Place& place : places_) {
      if (!place.node->bodies().empty()) nodes.push_back(place.node);
    }
    if (nodes.empty()) return ChangeAttribute();
    Node& node = *random_.Of(nodes);
    ChangeBindings(*random_.Of(node.bodies()));
    return absl::StrCat("body of ", node.name());
  }

  int Port() { return static_cast<int>(random_.Below(6)) - 1; }

  void ChangeSlicing(std::optional<Slicing>* slicing) {
    if (!slicing->has_value() || random_.OneIn(8)) {
      *slicing = slicing->has_value() ? std::nullopt
                                      : std::optional<Slicing>(Slicing());
      return;
    }
    int64_t* const members[] = {&(*slicing)->axis, &(*slicing)->start,
                                &(*slicing)->end, &(*slicing)->stride,
                                &(*slicing)->part_size};
    *members[random_.Below(5)] = SpecialInteger(random_, extents_);
  }

  void ChangeBindings(Body& body) {
    switch (random_.Below(7)) {
      case 0:
      case 1:
        if (body.inputs.empty()) return;
        return ChangeSlicing(&random_.Of(body.inputs).slicing);
      case 2:
      case 3:
        if (body.outputs.empty()) return;
        return ChangeSlicing(&random_.Of(body.outputs).slicing);
      case 4:
        if (body.back_edges.empty() || random_.OneIn(4)) {
          body.back_edges.push_back({Port(), Port()});
        } else if (random_.OneIn(2)) {
          body.back_edges.pop_back();
        } else {
          random_.Of(body.back_edges) = {Port(), Port()};
        }
        return;
      case 5:
        (random_.OneIn(2) ? body.current_iteration_parameter
                          : body.execution_condition_result) = Port();
        return;
      default:
        ChangePorts(body);
    }
  }

  void ChangePorts(Body& body) {
    if (random_.OneIn(2) && !body.inputs.empty()) {
      BodyInput& binding = random_.Of(body.inputs);
      (random_.OneIn(2) ? binding.input : binding.parameter) = Port();
    } else if (!body.outputs.empty()) {
      BodyOutput& binding = random_.Of(body.outputs);
      (random_.OneIn(2) ? binding.output : binding.result) = Port();
    }
  }

  Random& random_;
  Subject& subject_;
  std::vector<Place> places_;
  std::vector<int64_t> extents_;
};

}  // namespace

std::string Mutate(Random& random, Subject& subject) {
  std::string changes;
  const size_t count = 1 + random.Below(4);
  for (size_t done = 0, tries = 0; done < count && tries < 20; ++tries) {
    const std::string change = Mutation(random, subject).Run();
    if (change.empty()) continue;
    absl::StrAppend(&changes, changes.empty() ? "" : "; ", change);
    ++done;
  }
  return changes;
}

}  // namespace dovetail
