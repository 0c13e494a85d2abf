// Plan of the threads that run the models of the machine's own processor, and
// where: from the properties and what the processor is like to a form of
// streams.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_THREAD_PLAN_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_THREAD_PLAN_H_

#include <string>
#include <vector>

#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/cpus/cpu_topology.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/streams_choice.h"

namespace dovetail {

struct ThreadPlan {
  StreamsChoice choice;
  // Of StreamsExecutor; empty: threads run where the process may.
  std::vector<CpuSet> placement;
  // What holds with that placement.
  std::string core_type = "ANY_CORE";
  bool hyper_threading = false;  // some core has two of the processors
  bool pinning = false;
};

// Beside what ChooseStreams reads, SCHEDULING_CORE_TYPE, ENABLE_HYPER_THREADING
// and ENABLE_CPU_PINNING. `all` is what the process may run on, `limit` how
// many of them at a time (UsableCpus). A kind of core that is not there is any.
// Threads are pinned where each gets a processor of its own, cores before
// second threads of cores and the threads of a stream on one node as far as
// they fit; where there are less processors than threads, or a quota of time on
// top of them, no thread is, for it would wait while others are free.
ThreadPlan PlanThreads(const Config& config, const CpuTopology& all, int limit);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_THREAD_PLAN_H_
