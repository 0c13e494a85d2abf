#include "dovetail/core/executor/quota/cgroup_time.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace dovetail {
namespace {

using std::chrono::nanoseconds;

// "usage_usec 17" in version 2, nanoseconds alone in version 1.
std::optional<nanoseconds> ReadTime(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  absl::string_view text = line;
  const bool version2 = absl::ConsumePrefix(&text, "usage_usec ");
  int64_t time;
  if (!absl::SimpleAtoi(text, &time)) return std::nullopt;
  return version2 ? std::chrono::microseconds(time) : nanoseconds(time);
}

// In a container the path may be one that only the host sees: then the group is
// the root of what is seen here.
std::optional<nanoseconds> TimeOf(const std::string& hierarchy,
                                  const std::string& path, const char* file) {
  const auto time = ReadTime(absl::StrCat(hierarchy, path, "/", file));
  return time ? time : ReadTime(absl::StrCat(hierarchy, "/", file));
}

}  // namespace

std::optional<nanoseconds> CgroupCpuTime(const std::string& cgroup_file,
                                         const std::string& root) {
  std::ifstream file(cgroup_file);
  std::string line;
  std::optional<nanoseconds> time;
  while (!time && std::getline(file, line)) {
    // "<hierarchy>:<controllers>:<path>"; version 2 has no controllers.
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    if (parts[1].empty()) {
      time = TimeOf(root, parts[2], "cpu.stat");
      continue;
    }
    const std::vector<std::string> names = absl::StrSplit(parts[1], ',');
    if (std::find(names.begin(), names.end(), "cpuacct") == names.end()) {
      continue;
    }
    for (const std::string& name : {parts[1], std::string("cpuacct")}) {
      if (time) break;
      time = TimeOf(absl::StrCat(root, "/", name), parts[2], "cpuacct.usage");
    }
  }
  return time;
}

}  // namespace dovetail
