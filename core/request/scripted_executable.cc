#include "dovetail/core/request/scripted_executable.h"

#include <utility>

namespace dovetail {
namespace {

class Context : public ExecutionContext {
 public:
  explicit Context(const ScriptedExecutable& executable)
      : ExecutionContext(executable),
        executable_(executable),
        stages_(executable.script().stages()) {}

  absl::Span<const Stage> stages() override { return stages_; }
  void Begin(bool synchronous) override {
    executable_.script().begin(synchronous);
  }
  void End(const absl::Status& status) override {
    executable_.script().end(status);
  }
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
  Variable variable_{"count", Tensor()};
};

}  // namespace

ScriptedExecutable::ScriptedExecutable(Script script, Config config)
    : Executable({/*inputs=*/{{"in", {"in"}, ElementType::kF32, Shape({2})},
                              {"any", {"any"}, ElementType::kF32,
                               PartialShape::OfRank(1)}},
                  /*outputs=*/{{"out", {"out"}, ElementType::kF32, Shape({2})},
                               {"some", {"some"}, ElementType::kF32,
                                PartialShape::OfRank(1)}},
                  std::move(config)}),
      script_(std::move(script)) {}

absl::StatusOr<std::unique_ptr<ExecutionContext>>
ScriptedExecutable::NewContext() const {
  return std::make_unique<Context>(*this);
}

}  // namespace dovetail
