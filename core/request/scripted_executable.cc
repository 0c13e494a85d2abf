#include "dovetail/core/request/scripted_executable.h"

#include <utility>

namespace dovetail {
namespace {

class Context : public ExecutionContext {
 public:
  explicit Context(const ScriptedExecutable& executable)
      : executable_(executable),
        stages_(executable.script().stages()),
        inputs_("input", executable.inputs()),
        outputs_("output", executable.outputs()) {}

  absl::Status SetInput(int i, const Tensor& tensor) override {
    return inputs_.Set(i, tensor);
  }
  absl::Status SetOutput(int i, const Tensor& tensor) override {
    return outputs_.Set(i, tensor);
  }
  absl::StatusOr<Tensor> Input(int i) override { return inputs_.Get(i); }
  absl::StatusOr<Tensor> Output(int i) override { return outputs_.Get(i); }
  absl::Span<const Stage> stages() override { return stages_; }
  void Begin() override { executable_.script().begin(); }
  void Cancel() override { executable_.script().cancel(); }
  std::vector<Variable> variables() const override { return {variable_}; }
  absl::Status SetVariable(absl::string_view id,
                           const Tensor& value) override {
    if (id != variable_.id) return ExecutionContext::SetVariable(id, value);
    variable_.value = value;
    return absl::OkStatus();
  }

 private:
  const ScriptedExecutable& executable_;
  std::vector<Stage> stages_;
  PortTensors inputs_, outputs_;
  Variable variable_{"count", Tensor()};
};

}  // namespace

ScriptedExecutable::ScriptedExecutable(Script script)
    : script_(std::move(script)) {
  const PartialShape dynamic = PartialShape::OfRank(1);
  inputs_ = {{"in", {"in"}, ElementType::kF32, Shape({2})},
             {"any", {"any"}, ElementType::kF32, dynamic}};
  outputs_ = {{"out", {"out"}, ElementType::kF32, Shape({2})},
              {"some", {"some"}, ElementType::kF32, dynamic}};
}

absl::StatusOr<std::unique_ptr<ExecutionContext>>
ScriptedExecutable::NewContext() const {
  return std::make_unique<Context>(*this);
}

}  // namespace dovetail
