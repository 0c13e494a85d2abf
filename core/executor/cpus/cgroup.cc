#include "dovetail/core/executor/cpus/cgroup.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace dovetail {
namespace {

using std::chrono::nanoseconds;

// The folder of a group, or of one above it.
struct Group {
  std::string folder;
  bool version1;
};

// A process's group in one hierarchy, and all groups above. In a container the
// path may be one that only the host sees: then only the root is there.
void AddGroups(const std::string& hierarchy, std::string path, bool version1,
               std::vector<Group>& groups) {
  for (;;) {
    if (absl::EndsWith(path, "/")) path.pop_back();
    groups.push_back({hierarchy + path, version1});
    if (path.empty()) return;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

// Those of the hierarchies that have a controller, which version 1 mounts under
// the names of all controllers of that line, or under this one's alone.
std::vector<Group> GroupsOf(const std::string& cgroup_file,
                            const std::string& root,
                            const std::string& controller) {
  std::vector<Group> groups;
  std::ifstream file(cgroup_file);
  std::string line;
  while (std::getline(file, line)) {
    // "<hierarchy>:<controllers>:<path>"; version 2 has no controllers.
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    if (parts[1].empty()) AddGroups(root, parts[2], false, groups);
    const std::vector<std::string> names = absl::StrSplit(parts[1], ',');
    if (std::find(names.begin(), names.end(), controller) == names.end()) {
      continue;
    }
    AddGroups(absl::StrCat(root, "/", parts[1]), parts[2], true, groups);
    if (names.size() == 1) continue;
    AddGroups(absl::StrCat(root, "/", controller), parts[2], true, groups);
  }
  return groups;
}

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

std::optional<double> LimitOf(const Group& group) {
  if (group.version1) {
    return Ratio(FirstLine(group.folder + "/cpu.cfs_quota_us"),
                 FirstLine(group.folder + "/cpu.cfs_period_us"));
  }
  const std::string line = FirstLine(group.folder + "/cpu.max");
  const std::vector<std::string> words = absl::StrSplit(line, ' ');
  return words.size() < 2 ? std::nullopt : Ratio(words[0], words[1]);
}

std::optional<nanoseconds> TimeOf(const Group& group) {
  int64_t time;
  if (group.version1) {
    const std::string line = FirstLine(group.folder + "/cpuacct.usage");
    if (!absl::SimpleAtoi(line, &time)) return std::nullopt;
    return nanoseconds(time);
  }
  const std::string line = FirstLine(group.folder + "/cpu.stat");
  const std::vector<std::string> words = absl::StrSplit(line, ' ');
  if (words.size() != 2 || words[0] != "usage_usec" ||
      !absl::SimpleAtoi(words[1], &time)) {
    return std::nullopt;
  }
  return std::chrono::microseconds(time);
}

}  // namespace

std::optional<double> CgroupCpuLimit(const std::string& cgroup_file,
                                     const std::string& root) {
  std::optional<double> lowest;
  for (const Group& group : GroupsOf(cgroup_file, root, "cpu")) {
    const std::optional<double> limit = LimitOf(group);
    if (limit) lowest = std::min(*limit, lowest.value_or(*limit));
  }
  return lowest;
}

std::optional<nanoseconds> CgroupCpuTime(const std::string& cgroup_file,
                                         const std::string& root) {
  for (const Group& group : GroupsOf(cgroup_file, root, "cpuacct")) {
    if (const std::optional<nanoseconds> time = TimeOf(group)) return time;
  }
  return std::nullopt;
}

}  // namespace dovetail
