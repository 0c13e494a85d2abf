#include "dovetail/backends/common/host/thread_plan.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "dovetail/core/properties/standard_properties.h"

namespace dovetail {
namespace {

CpuTopology OfKind(const CpuTopology& all, CoreKind kind) {
  CpuTopology cpus;
  for (const LogicalCpu& cpu : all) {
    if (cpu.kind == kind) cpus.push_back(cpu);
  }
  return cpus;
}

CpuTopology OneOfEachCore(const CpuTopology& all) {
  CpuTopology cpus;
  std::map<int, bool> taken;
  for (const LogicalCpu& cpu : all) {
    bool& core_taken = taken[cpu.core];
    if (!core_taken) cpus.push_back(cpu);
    core_taken = true;
  }
  return cpus;
}

// The processors that the properties let through; says which kind they are of.
CpuTopology Chosen(const Config& config, const CpuTopology& all,
                   std::string& core_type) {
  CpuTopology cpus = all;
  const std::string asked = config.GetString(properties::kSchedulingCoreType);
  if (asked == "PCORE_ONLY" || asked == "ECORE_ONLY") {
    cpus = OfKind(all, asked == "PCORE_ONLY" ? CoreKind::kPerformance
                                             : CoreKind::kEfficient);
  }
  const bool there = !cpus.empty() && !asked.empty();
  core_type = there ? asked : "ANY_CORE";
  if (cpus.empty()) cpus = all;
  const bool one_each =
      config.GetString(properties::kEnableHyperThreading) == "NO";
  return one_each ? OneOfEachCore(cpus) : cpus;
}

CpuSet IdsOf(const CpuTopology& cpus) {
  CpuSet ids;
  for (const LogicalCpu& cpu : cpus) ids.push_back(cpu.id);
  return ids;
}

// Of each node, in the order in which they are to be taken.
std::map<int, std::deque<int>> Queues(const CpuTopology& cpus) {
  std::map<int, int> of_core;
  // Second threads of cores last: an efficient core is more than one of these.
  std::vector<std::tuple<int, CoreKind, int, int>> order;
  for (const LogicalCpu& cpu : cpus) {
    order.emplace_back(of_core[cpu.core]++, cpu.kind, cpu.id, cpu.node);
  }
  std::sort(order.begin(), order.end());
  std::map<int, std::deque<int>> queues;
  for (const auto& [turn, kind, id, node] : order) queues[node].push_back(id);
  return queues;
}

// A processor for each thread; there are enough.
std::vector<CpuSet> Pinned(const StreamsChoice& choice,
                           const CpuTopology& cpus) {
  std::map<int, std::deque<int>> queues = Queues(cpus);
  const auto fewer = [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  };
  std::vector<CpuSet> placement;
  for (int stream = 0; stream < choice.streams; ++stream) {
    auto node = std::max_element(queues.begin(), queues.end(), fewer);
    for (int i = 0; i < choice.threads_per_stream; ++i) {
      if (node->second.empty()) {
        node = std::max_element(queues.begin(), queues.end(), fewer);
      }
      placement.push_back({node->second.front()});
      node->second.pop_front();
    }
  }
  return placement;
}

}  // namespace

ThreadPlan PlanThreads(const Config& config, const CpuTopology& all,
                       int limit) {
  ThreadPlan plan;
  CpuTopology cpus = Chosen(config, all, plan.core_type);
  const int count = static_cast<int>(cpus.size());
  const int usable = count > 0 ? std::min(count, limit) : limit;
  plan.choice = ChooseStreams(config, usable, NodeCount(cpus));
  const size_t threads = static_cast<size_t>(plan.choice.streams) *
                         static_cast<size_t>(plan.choice.threads_per_stream);
  plan.pinning = config.GetBool(properties::kEnableCpuPinning) &&
                 threads <= cpus.size() &&
                 limit >= static_cast<int>(all.size());
  if (plan.pinning) {
    const CpuTopology cores = OneOfEachCore(cpus);
    if (threads <= cores.size()) cpus = cores;
    plan.placement = Pinned(plan.choice, cpus);
  } else if (cpus.size() < all.size()) {
    plan.placement.assign(threads, IdsOf(cpus));
  }
  plan.hyper_threading = CoreCount(cpus) < static_cast<int>(cpus.size());
  return plan;
}

}  // namespace dovetail
