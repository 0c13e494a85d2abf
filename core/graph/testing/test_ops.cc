#include "dovetail/core/graph/testing/test_ops.h"

#include <cstdlib>
#include <iostream>
#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail {
namespace {

[[noreturn]] void Die(absl::string_view why) {
  std::cerr << "a test's graph is wrong: " << why << std::endl;
  std::abort();
}

absl::Status InferParameter(InferContext& context) {
  const auto& attributes = context.attributes<ParameterAttributes>();
  context.SetOutput(0, attributes.element_type, attributes.shape);
  return absl::OkStatus();
}

absl::Status InferConstant(InferContext& context) {
  const Tensor& value = context.attributes<ConstantAttributes>().value;
  if (!value.has_data()) return context.Error("has no value");
  context.SetOutput(0, value.type(), value.shape());
  return absl::OkStatus();
}

absl::Status InferNothing(InferContext&) { return absl::OkStatus(); }

absl::Status InferSame(InferContext& context) {
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

absl::Status InferAdd(InferContext& context) {
  const auto shape = BroadcastNumpy(context.shape(0), context.shape(1));
  if (!shape.has_value()) {
    return context.Error("cannot add ", context.shape(0).ToString(), " and ",
                         context.shape(1).ToString());
  }
  context.SetOutput(0, context.type(0), *shape);
  return absl::OkStatus();
}

absl::Status InferSplit(InferContext& context) {
  const int64_t parts =
      context.attributes<SplitAttributesForTest>().num_splits;
  PartialShape shape = context.shape(0);
  if (parts < 1 || parts > 100 || !shape.rank_known() || shape.rank() == 0) {
    return context.Error("cannot make ", parts, " parts of ",
                         shape.ToString());
  }
  shape[0] = FloorDivide(shape[0], parts);
  context.SetOutputCount(static_cast<int>(parts));
  for (int i = 0; i < parts; ++i) {
    context.SetOutput(i, context.type(0), shape);
  }
  return absl::OkStatus();
}

absl::Status InferShapeOf(InferContext& context) {
  if (!context.shape(0).rank_known()) return context.Error("needs a rank");
  context.SetOutput(0, ElementType::kI64, {context.shape(0).rank()});
  context.SetValue(0, ValueRange::OfShape(context.shape(0)));
  return absl::OkStatus();
}

absl::Status InferReshape(InferContext& context) {
  const ValueRange* target = context.value(1);
  context.SetOutput(0, context.type(0), target == nullptr
                                            ? PartialShape::DynamicRank()
                                            : target->ToPartialShape());
  return absl::OkStatus();
}

absl::Status InferLoop(InferContext& context) {
  const auto* bodies = context.mutable_bodies();
  if (bodies == nullptr || bodies->size() != 1) {
    return context.Error("takes one body");
  }
  const Body& body = *bodies->front();
  DOVETAIL_RETURN_IF_ERROR(body.model->Infer());
  context.SetOutputCount(static_cast<int>(body.outputs.size()));
  for (const BodyOutput& output : body.outputs) {
    if (output.output >= context.output_count()) {
      return context.Error("has no output ", output.output);
    }
    const Value result = body.model->results()[output.result]->input(0);
    context.SetOutput(output.output, result.type(), result.shape());
  }
  return absl::OkStatus();
}

constexpr OpsetRange kAll = OpsetRange::Since(1);
constexpr OpInfo kOps[] = {
    {"Parameter", 0, "Parameter", kAll, {0, 0}, {1, 1},
     &MakeAttributes<ParameterAttributes>, &InferParameter, {}, kStructural},
    {"Constant", 0, "Const", kAll, {0, 0}, {1, 1},
     &MakeAttributes<ConstantAttributes>, &InferConstant, {}, kStructural},
    {"Result", 0, "Result", kAll, {1, 1}, {0, 0},
     &MakeAttributes<NoAttributes>, &InferNothing, {}, kStructural},
    {"Relu", 1, "ReLU", kAll, {1, 1}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferSame},
    {"Add", 1, "Add", kAll, {2, 2}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferAdd},
    {"Split", 1, "Split", kAll, {1, 1}, {1, Arity::kAny},
     &MakeAttributes<SplitAttributesForTest>, &InferSplit},
    {"ShapeOf", 3, "ShapeOf", kAll, {1, 1}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferShapeOf, {}, kReadsOnlyShape},
    {"Reshape", 1, "Reshape", kAll, {2, 2}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferReshape},
    {"ReadValue", 6, "ReadValue", kAll, {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributesForTest>, &InferSame, {}, kReadsState},
    {"Assign", 6, "Assign", kAll, {1, 1}, {1, 1},
     &MakeAttributes<VariableAttributesForTest>, &InferSame, {},
     kHasSideEffect},
    {"Loop", 5, "Loop", kAll, {0, Arity::kAny}, {1, Arity::kAny},
     &MakeAttributes<NoAttributes>, &InferLoop, {}, kHasBodies},
    {"Everything", 1, "Everything", kAll, {1, 1}, {1, 1},
     &MakeAttributes<EverythingAttributes>, &InferSame},
    {"NoRule", 1, "NoRule", kAll, {1, 1}, {1, 1},
     &MakeAttributes<NoAttributes>, nullptr},
};

}  // namespace

absl::Span<const EnumName> EnumNames(Flavour) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(Flavour::kSweet), "sweet"},
      {static_cast<int>(Flavour::kSour), "sour"},
  };
  return kNames;
}

void EverythingAttributes::Visit(AttributeVisitor& visitor) {
  visitor.Visit("flag", flag);
  visitor.Visit("count", count);
  visitor.Visit("seed", seed);
  visitor.Visit("factor", factor);
  visitor.Visit("text", text);
  visitor.Visit("counts", counts);
  visitor.Visit("factors", factors);
  visitor.Visit("texts", texts);
  visitor.Visit("type", type);
  visitor.Visit("shape", shape);
  visitor.Visit("tensor", tensor);
  visitor.Visit("flavour", flavour);
}

absl::Span<const OpInfo> TestOps() { return kOps; }

const OpInfo& TestOp(absl::string_view type) {
  for (const OpInfo& op : kOps) {
    if (op.type == type) return op;
  }
  Die(type);
}

Node* AddTestNode(Model& model, absl::string_view type,
                  std::initializer_list<Value> inputs, absl::string_view name,
                  std::unique_ptr<Attributes> attributes) {
  auto node = model.Add(TestOp(type), inputs, std::move(attributes), name);
  if (!node.ok()) Die(node.status().message());
  return *node;
}

Node* AddTestParameter(Model& model, const PartialShape& shape,
                       absl::string_view name) {
  auto attributes = std::make_unique<ParameterAttributes>();
  attributes->shape = shape;
  attributes->element_type = ElementType::kF32;
  return AddTestNode(model, "Parameter", {}, name, std::move(attributes));
}

Node* AddTestConstant(Model& model, const Tensor& value,
                      absl::string_view name) {
  auto attributes = std::make_unique<ConstantAttributes>();
  attributes->value = value;
  return AddTestNode(model, "Constant", {}, name, std::move(attributes));
}

std::unique_ptr<Attributes> TestVariable(absl::string_view id) {
  auto attributes = std::make_unique<VariableAttributesForTest>();
  attributes->variable_id = std::string(id);
  return attributes;
}

Model SmallTestModel() {
  Model model("small");
  Node* x = AddTestParameter(model, {2, 3}, "x");
  Node* relu = AddTestNode(model, "Relu", {x->output()}, "relu");
  AddTestNode(model, "Result", {relu->output()}, "out");
  return model;
}

Model LoopTestModel() {
  auto body = std::make_unique<Body>();
  body->model = std::make_unique<Model>("body");
  Node* state = AddTestParameter(*body->model, {2}, "state");
  Node* one = AddTestConstant(
      *body->model, *Tensor::FromDoubles(ElementType::kF32, {1}, {1}), "one");
  Node* sum = AddTestNode(*body->model, "Add",
                          {state->output(), one->output()}, "sum");
  AddTestNode(*body->model, "Result", {sum->output()}, "next");
  body->inputs = {{0, 0, std::nullopt}};
  body->outputs = {{0, 0, std::nullopt}};
  body->back_edges = {{0, 0}};

  Model model("looping");
  Node* x = AddTestParameter(model, {2}, "x");
  Node* loop = model.AddUninferred(TestOp("Loop"), {x->output()}, nullptr,
                                   "loop");
  loop->bodies().push_back(std::move(body));
  if (absl::Status status = loop->Infer(); !status.ok()) Die(status.message());
  AddTestNode(model, "Result", {loop->output()}, "out");
  return model;
}

}  // namespace dovetail
