#include "dovetail/core/executor/cpu_info.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace dovetail {
namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// quota/period, both in microseconds; nothing for "max", -1 and no numbers.
std::optional<double> Ratio(const std::string& quota,
                            const std::string& period) {
  const double quota_us = std::strtod(quota.c_str(), nullptr);
  const double period_us = std::strtod(period.c_str(), nullptr);
  if (!(quota_us > 0) || !(period_us > 0)) return std::nullopt;
  return quota_us / period_us;
}

std::optional<double> GroupLimit(const std::string& folder, bool version1) {
  if (version1) {
    return Ratio(FirstLine(folder + "/cpu.cfs_quota_us"),
                 FirstLine(folder + "/cpu.cfs_period_us"));
  }
  const std::string line = FirstLine(folder + "/cpu.max");
  const std::vector<std::string> words = absl::StrSplit(line, ' ');
  return words.size() < 2 ? std::nullopt : Ratio(words[0], words[1]);
}

// The lowest limit of the group at `path` and those above it. In a container
// the path may be one that only the host sees: then only the root is there.
std::optional<double> LowestLimit(const std::string& root, std::string path,
                                  bool version1) {
  std::optional<double> lowest;
  for (;;) {
    if (absl::EndsWith(path, "/")) path.pop_back();
    if (const auto limit = GroupLimit(root + path, version1)) {
      lowest = std::min(*limit, lowest.value_or(*limit));
    }
    if (path.empty()) return lowest;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

// The mounted hierarchy that a line "4:cpu,cpuacct:/group" of version 1 means.
std::string Version1Root(const std::string& root,
                         const std::string& controllers) {
  for (const std::string& name : {controllers, std::string("cpu")}) {
    const std::string folder = absl::StrCat(root, "/", name);
    if (std::ifstream(folder + "/cpu.cfs_quota_us").good()) return folder;
  }
  return absl::StrCat(root, "/", controllers);
}

int AffinityCount() {
  // A mask larger than cpu_set_t for machines with more than 1024 processors.
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
    cpu_set_t* set = CPU_ALLOC(cpus);
    if (set == nullptr) break;
    const size_t size = CPU_ALLOC_SIZE(cpus);
    const bool known = sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known) return std::max(1, count);
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

std::optional<double> CgroupCpuLimit(const std::string& cgroup_file,
                                     const std::string& root) {
  std::optional<double> lowest;
  std::ifstream file(cgroup_file);
  std::string line;
  while (std::getline(file, line)) {
    // "<hierarchy>:<controllers>:<path>"; version 2 has no controllers.
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    const std::string& controllers = parts[1];
    std::optional<double> limit;
    if (controllers.empty()) {
      limit = LowestLimit(root, parts[2], /*version1=*/false);
    } else {
      const std::vector<absl::string_view> names =
          absl::StrSplit(controllers, ',');
      if (std::find(names.begin(), names.end(), "cpu") == names.end()) continue;
      limit = LowestLimit(Version1Root(root, controllers), parts[2],
                          /*version1=*/true);
    }
    if (limit) lowest = std::min(*limit, lowest.value_or(*limit));
  }
  return lowest;
}

int UsableCpus() {
  int cpus = AffinityCount();
  const std::optional<double> limit =
      CgroupCpuLimit("/proc/self/cgroup", "/sys/fs/cgroup");
  if (limit && *limit < cpus) cpus = static_cast<int>(std::ceil(*limit));
  return std::max(1, cpus);
}

std::string CpuModelName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    absl::string_view text = line;
    if (!absl::ConsumePrefix(&text, "model name")) continue;
    const size_t colon = text.find(':');
    if (colon == absl::string_view::npos) continue;
    return std::string(absl::StripAsciiWhitespace(text.substr(colon + 1)));
  }
  return "";
}

}  // namespace dovetail
