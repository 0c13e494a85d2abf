// An executable whose stages are what a test says, with one input and one
// output of f32[2] and one whose shape is dynamic.
#ifndef DOVETAIL_CORE_REQUEST_SCRIPTED_EXECUTABLE_H_
#define DOVETAIL_CORE_REQUEST_SCRIPTED_EXECUTABLE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Each new context asks for its stages.
struct Script {
  std::function<std::vector<Stage>()> stages = [] {
    return std::vector<Stage>();
  };
  std::function<void(bool synchronous)> begin = [](bool) {};
  std::function<void(const absl::Status& status)> end =
      [](const absl::Status&) {};
  std::function<void()> cancel = [] {};
};

class ScriptedExecutable : public Executable {
 public:
  explicit ScriptedExecutable(Script script, Config config = Config());

  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext()
      const override;
  const Script& script() const { return script_; }

 private:
  Script script_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REQUEST_SCRIPTED_EXECUTABLE_H_
