#include "dovetail/backends/common/program/body_programs.h"

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<const BodyProgram*> BodyPrograms::Find(const Model& body,
                                                      WorkTeam& team) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<BodyProgram>& program = programs_[&body];
  if (program == nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(program, compile_(body, team));
  }
  return program.get();
}

absl::StatusOr<std::vector<Tensor>> BodyPrograms::Run(
    const Model& body, absl::Span<const Tensor> inputs, States& states,
    RunEnvironment& environment) {
  DOVETAIL_ASSIGN_OR_RETURN(const BodyProgram* const program,
                            Find(body, environment.team()));
  std::unique_ptr<BodyProgram::State>& state = states.states_[&body];
  if (state == nullptr) state = program->NewState();
  return program->Run(inputs, *state, environment);
}

}  // namespace dovetail
