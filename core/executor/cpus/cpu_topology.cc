#include "dovetail/core/executor/cpus/cpu_topology.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace dovetail {
namespace {

// No machine has more; a damaged list must not take memory without end.
constexpr int kMaxCpus = 1 << 20;

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool Has(const CpuSet& cpus, int id) {
  return std::binary_search(cpus.begin(), cpus.end(), id);
}

int CapacityOf(const std::string& root, int id) {
  int capacity = 0;
  const std::string text =
      FirstLine(absl::StrCat(root, "/system/cpu/cpu", id, "/cpu_capacity"));
  return absl::SimpleAtoi(text, &capacity) ? capacity : 0;
}

// The fastest is looked for in the whole machine: a process that may only use
// slow cores does not make them fast.
CpuSet SlowByCapacity(const std::string& root) {
  std::map<int, int> capacities;
  int fastest = 0;
  for (const int id : ParseCpuList(FirstLine(root + "/system/cpu/online"))) {
    const int capacity = CapacityOf(root, id);
    if (capacity <= 0) return {};
    capacities[id] = capacity;
    fastest = std::max(fastest, capacity);
  }
  CpuSet slow;
  for (const auto& [id, capacity] : capacities) {
    if (capacity <= fastest / 4 * 3) slow.push_back(id);
  }
  return slow;
}

CpuSet EfficientCpus(const std::string& root) {
  const CpuSet atoms = ParseCpuList(FirstLine(root + "/cpu_atom/cpus"));
  return atoms.empty() ? SlowByCapacity(root) : atoms;
}

std::map<int, int> NodeOfCpus(const std::string& root) {
  std::map<int, int> nodes;
  std::error_code error;
  const std::filesystem::path folder(root + "/system/node");
  for (std::filesystem::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    int node;
    if (!absl::StartsWith(name, "node") ||
        !absl::SimpleAtoi(name.substr(4), &node)) {
      continue;
    }
    for (const int id : ParseCpuList(FirstLine(it->path() / "cpulist"))) {
      nodes[id] = node;
    }
  }
  return nodes;
}

int CoreOf(const std::string& root, int id) {
  const CpuSet siblings = ParseCpuList(FirstLine(absl::StrCat(
      root, "/system/cpu/cpu", id, "/topology/thread_siblings_list")));
  return siblings.empty() ? id : siblings.front();
}

template <typename Member>
int CountOf(const CpuTopology& cpus, Member member) {
  std::set<int> different;
  for (const LogicalCpu& cpu : cpus) different.insert(cpu.*member);
  return static_cast<int>(different.size());
}

}  // namespace

CpuSet ParseCpuList(const std::string& text) {
  std::set<int> ids;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> ends = absl::StrSplit(part, '-');
    int first, last;
    if (!absl::SimpleAtoi(ends.front(), &first) ||
        !absl::SimpleAtoi(ends.back(), &last)) {
      continue;
    }
    for (int id = std::max(first, 0); id <= std::min(last, kMaxCpus); ++id) {
      ids.insert(id);
    }
  }
  return CpuSet(ids.begin(), ids.end());
}

CpuTopology ReadCpuTopology(const std::string& root, const CpuSet& ids) {
  const CpuSet efficient = EfficientCpus(root);
  const std::map<int, int> nodes = NodeOfCpus(root);
  CpuTopology cpus;
  for (const int id : ids) {
    LogicalCpu cpu;
    cpu.id = id;
    cpu.core = CoreOf(root, id);
    if (const auto it = nodes.find(id); it != nodes.end()) {
      cpu.node = it->second;
    }
    if (Has(efficient, id)) cpu.kind = CoreKind::kEfficient;
    cpus.push_back(cpu);
  }
  return cpus;
}

CpuTopology UsableCpuTopology() {
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<CpuSet, CpuTopology>;
  const CpuSet usable = AffinityOf(pthread_self());
  std::lock_guard<std::mutex> lock(mutex);
  // A program that changes masks without end must not fill the memory.
  if (known.size() > 64) known.clear();
  const auto [it, is_new] = known.try_emplace(usable);
  if (is_new) it->second = ReadCpuTopology("/sys/devices", usable);
  return it->second;
}

int CoreCount(const CpuTopology& cpus) {
  return CountOf(cpus, &LogicalCpu::core);
}

int NodeCount(const CpuTopology& cpus) {
  return CountOf(cpus, &LogicalCpu::node);
}

}  // namespace dovetail
