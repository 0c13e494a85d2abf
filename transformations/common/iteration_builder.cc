#include "dovetail/transformations/common/iteration_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"

namespace dovetail {
namespace {

std::unique_ptr<Body> EmptyBody() {
  auto body = std::make_unique<Body>();
  body->model = std::make_unique<Model>("body");
  return body;
}

}  // namespace

IterationBuilder::IterationBuilder(NodeBuilder& outer)
    : outer_(outer),
      body_(EmptyBody()),
      builder_(*body_->model, outer.node()) {}

Value IterationBuilder::AddParameter(Value value, const PartialShape& shape) {
  auto attributes = std::make_unique<ParameterAttributes>();
  attributes->element_type = value.type();
  attributes->shape = shape;
  const int parameter = static_cast<int>(body_->inputs.size());
  body_->inputs.push_back({parameter, parameter, {}});
  inputs_.push_back(value);
  return builder_.MakeAll(*FindOp("Parameter"), {}, std::move(attributes))[0];
}

void IterationBuilder::AddOutput(Value value) {
  const int result = static_cast<int>(body_->outputs.size());
  body_->outputs.push_back({result, result, {}});
  if (!value) return;  // the builder has an error
  builder_.Adopt(
      body_->model->AddUninferred(*FindOp("Result"), {value}, nullptr));
}

Slicing IterationBuilder::EachElement(int64_t axis, bool backwards) {
  Slicing slicing;
  slicing.axis = axis;
  if (backwards) {
    slicing.start = -1;
    slicing.end = 0;
    slicing.stride = -1;
  }
  return slicing;
}

Value IterationBuilder::Whole(Value value) {
  return AddParameter(value, value.shape());
}

Value IterationBuilder::Part(Value value, int64_t axis, bool backwards) {
  PartialShape shape = value.shape();
  if (shape.rank_known() && axis < shape.rank()) shape[axis] = Dimension(1);
  const Value parameter = AddParameter(value, shape);
  body_->inputs.back().slicing = EachElement(axis, backwards);
  return parameter;
}

Value IterationBuilder::State(Value first) { return Whole(first); }

void IterationBuilder::SetNext(Value state, Value next) {
  const auto& parameters = body_->model->parameters();
  const auto found =
      std::find(parameters.begin(), parameters.end(), state.node);
  const int parameter = static_cast<int>(found - parameters.begin());
  AddOutput(next);
  body_->back_edges.push_back({body_->outputs.back().result, parameter});
}

void IterationBuilder::ConcatOutput(Value value, int64_t axis, bool backwards) {
  AddOutput(value);
  body_->outputs.back().slicing = EachElement(axis, backwards);
}

std::vector<Value> IterationBuilder::Finish() {
  const std::vector<Value> none(body_->outputs.size());
  outer_.Update(builder_.status());
  if (!outer_.status().ok()) return none;
  Node* node = outer_.model().AddUninferred(
      *FindOp("TensorIterator"), inputs_, nullptr,
      absl::StrCat(outer_.node().name(), "/iterations"));
  node->bodies().push_back(std::move(body_));
  outer_.Update(node->Infer());
  const std::vector<Value> outputs = outer_.Adopt(node);
  return outer_.status().ok() ? outputs : none;
}

}  // namespace dovetail
