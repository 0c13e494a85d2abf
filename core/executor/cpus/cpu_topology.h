// Topology of the processors that this process may use: which of them are
// halves of one core, of which kind the cores are, to which memory they are
// near.
#ifndef DOVETAIL_CORE_EXECUTOR_CPUS_CPU_TOPOLOGY_H_
#define DOVETAIL_CORE_EXECUTOR_CPUS_CPU_TOPOLOGY_H_

#include <string>
#include <vector>

#include "dovetail/core/executor/cpus/affinity.h"

namespace dovetail {

// Processors whose cores are all alike are of the first kind.
enum class CoreKind { kPerformance, kEfficient };

struct LogicalCpu {
  int id = 0;    // as the system counts
  int core = 0;  // the least id of those that share its core
  int node = 0;  // of memory (NUMA)
  CoreKind kind = CoreKind::kPerformance;

  bool operator==(const LogicalCpu& other) const {
    return id == other.id && core == other.core && node == other.node &&
           kind == other.kind;
  }
};
using CpuTopology = std::vector<LogicalCpu>;  // by id

// The processors `ids` of the machine whose /sys/devices is `root`. Efficient
// ones are those of cpu_atom, or else those that can do three quarters of what
// the fastest can, or less. What the system does not tell of a processor: it
// is a core of its own, of node 0.
CpuTopology ReadCpuTopology(const std::string& root, const CpuSet& ids);

// Of the processors in the affinity mask of the calling thread. The machine is
// looked at once for each mask.
CpuTopology UsableCpuTopology();

// How many cores, and nodes, these processors are of.
int CoreCount(const CpuTopology& cpus);
int NodeCount(const CpuTopology& cpus);

// "0-3,8" as the system writes processors; what is no number is passed over.
CpuSet ParseCpuList(const std::string& text);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_CPUS_CPU_TOPOLOGY_H_
