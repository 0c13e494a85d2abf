// The threads of devices that compute in the host's.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_STREAMS_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_STREAMS_H_

#include <memory>

#include "dovetail/core/executor/streams_executor.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Streams as the call's configuration wants them (streams_choice.h): of the
// application's executor, where the call has one, with its concurrency for the
// usable processors; else those of the process.
std::shared_ptr<StreamsExecutor> StreamsFor(const PluginCall& call);

// Likewise a team to compile with, of at most `most` threads where that is
// above 0. Not to be used after the call.
std::shared_ptr<WorkTeam> CompileTeamFor(const PluginCall& call, int most);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_STREAMS_H_
