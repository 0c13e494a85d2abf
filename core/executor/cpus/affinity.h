// On which processors a thread runs.
#ifndef DOVETAIL_CORE_EXECUTOR_CPUS_AFFINITY_H_
#define DOVETAIL_CORE_EXECUTOR_CPUS_AFFINITY_H_

#include <pthread.h>

#include <vector>

namespace dovetail {

// Numbers of logical processors, ascending.
using CpuSet = std::vector<int>;

// Has the thread run on these only; false where the system does not let it,
// such as on processors that are not the process's, and for none at all.
bool SetAffinity(pthread_t thread, const CpuSet& cpus);

// Where the thread may run; empty when nobody can say.
CpuSet AffinityOf(pthread_t thread);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_CPUS_AFFINITY_H_
