#include <utility>

#include "dovetail/backends/common/program/program.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// A body as a program.
class CompiledBody : public BodyProgram {
 public:
  explicit CompiledBody(std::unique_ptr<Program> program)
      : program_(std::move(program)) {}

  std::unique_ptr<State> NewState() const override {
    return std::make_unique<BodyState>();
  }

  absl::StatusOr<std::vector<Tensor>> Run(
      absl::Span<const Tensor> inputs, State& state,
      RunEnvironment& environment) const override {
    std::vector<Tensor> contiguous(inputs.begin(), inputs.end());
    for (Tensor& input : contiguous) {
      if (input.is_contiguous()) continue;
      DOVETAIL_ASSIGN_OR_RETURN(input, input.Clone());
    }
    std::vector<Tensor> outputs(program_->model().results().size());
    const auto place = [&](int i, ElementType type,
                           const Shape& shape) -> absl::StatusOr<Tensor> {
      DOVETAIL_ASSIGN_OR_RETURN(outputs[i], Tensor::Allocate(type, shape));
      return outputs[i];
    };
    DOVETAIL_RETURN_IF_ERROR(
        program_->Run(contiguous, place, static_cast<BodyState&>(state).program,
                      environment));
    return outputs;
  }

 private:
  struct BodyState : State {
    ProgramState program;
  };

  const std::unique_ptr<Program> program_;
};

}  // namespace

CompileBodyFn BodyCompiler(std::weak_ptr<PlanCompiler> compiler) {
  // What compiles a body belongs to a program that has the compiler.
  return [compiler = std::move(compiler)](
             const Model& body,
             WorkTeam& team) -> absl::StatusOr<std::unique_ptr<BodyProgram>> {
    // Not owned: the node that has it outlives what is compiled of it.
    std::shared_ptr<const Model> model(std::shared_ptr<void>(), &body);
    DOVETAIL_ASSIGN_OR_RETURN(
        std::unique_ptr<Program> program,
        Program::Create(std::move(model), compiler.lock(), team));
    return std::make_unique<CompiledBody>(std::move(program));
  };
}

}  // namespace dovetail
