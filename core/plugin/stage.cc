#include "dovetail/core/plugin/stage.h"

#include <utility>

namespace dovetail {

Stage SynchronousStage(absl::string_view name, Executor* executor,
                       std::function<absl::Status()> run) {
  return Stage{std::string(name), executor,
               [run = std::move(run)](StageDone done) { done(run()); }};
}

}  // namespace dovetail
