// The bodies of a control operation, compiled like a model.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_BODY_PROGRAMS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_BODY_PROGRAMS_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/plan/run_environment.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// A compiled body. Thread-safe; a state is used by one run at a time.
class BodyProgram {
 public:
  class State {
   public:
    virtual ~State() = default;
  };

  virtual ~BodyProgram() = default;
  virtual std::unique_ptr<State> NewState() const = 0;
  // One tensor for each result, of memory of its own.
  virtual absl::StatusOr<std::vector<Tensor>> Run(
      absl::Span<const Tensor> inputs, State& state,
      RunEnvironment& environment) const = 0;
};

// Compiles a body, which outlives what comes of it.
using CompileBodyFn =
    std::function<absl::StatusOr<std::unique_ptr<BodyProgram>>(
        const Model& body, WorkTeam& team)>;

// The bodies of one node by model. Each is compiled when it first runs, as a
// branch may never be taken. Thread-safe.
class BodyPrograms {
 public:
  // Of one context.
  class States {
   private:
    friend class BodyPrograms;
    std::map<const Model*, std::unique_ptr<BodyProgram::State>> states_;
  };

  explicit BodyPrograms(CompileBodyFn compile) : compile_(std::move(compile)) {}

  absl::StatusOr<std::vector<Tensor>> Run(const Model& body,
                                          absl::Span<const Tensor> inputs,
                                          States& states,
                                          RunEnvironment& environment);

 private:
  absl::StatusOr<const BodyProgram*> Find(const Model& body, WorkTeam& team);

  const CompileBodyFn compile_;
  std::mutex mutex_;
  std::map<const Model*, std::unique_ptr<BodyProgram>> programs_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_BODY_PROGRAMS_H_
