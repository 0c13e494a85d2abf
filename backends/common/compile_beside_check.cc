#include "dovetail/backends/common/compile_beside_check.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/backends/common/sections_check.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/executor/pools/threads.h"

namespace dovetail {

absl::Status CompileBesideCheck(
    WeightsCache& weights, absl::string_view platform, const PluginCall& call,
    const WorkTeam& team, absl::FunctionRef<absl::Status()> compile) {
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<std::string> sections,
                            weights.Import(platform, *call.blob));
  SectionsCheck check(*call.blob, std::move(sections));
  std::shared_ptr<Executor> beside = call.executor;
  if (team.threads() > 1) {
    if (beside == nullptr) {
      beside = Threads::OfProcess()->NamedExecutor("check of packed weights");
    }
    check.Start(*beside);
  }
  DOVETAIL_RETURN_IF_ERROR(compile());
  const std::vector<std::string> damaged = check.Finish();
  if (damaged.empty()) return absl::OkStatus();
  weights.Forget(damaged);
  return compile();
}

}  // namespace dovetail
