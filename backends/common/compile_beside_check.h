// Compiling an import while another thread looks whether it is sound.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILE_BESIDE_CHECK_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILE_BESIDE_CHECK_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/compiler/weights_cache.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Imports what call.blob has packed for `platform` into `weights`, and calls
// `compile`. Compiling reads little of what is packed, and mostly in one
// thread: where the team has more, another compares the checksums meanwhile.
// Damage is rare enough to compile again for it: `compile` is then called a
// second time, without the damaged entries, and has to replace what it made.
// Errors as of WeightsCache::Import and of `compile`.
absl::Status CompileBesideCheck(
    WeightsCache& weights, absl::string_view platform, const PluginCall& call,
    const WorkTeam& team, absl::FunctionRef<absl::Status()> compile);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILE_BESIDE_CHECK_H_
