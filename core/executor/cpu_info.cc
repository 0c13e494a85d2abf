#include "dovetail/core/executor/cpu_info.h"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "dovetail/core/executor/affinity.h"

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
  const size_t count = AffinityOf(pthread_self()).size();
  return std::max<int>(1,
                       count > 0 ? count : std::thread::hardware_concurrency());
}

// What stands behind "<key> :" in the first such line of /proc/cpuinfo.
std::string InCpuInfo(absl::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    absl::string_view text = line;
    if (!absl::ConsumePrefix(&text, key)) continue;
    const size_t colon = text.find(':');
    if (colon == absl::string_view::npos) continue;
    return std::string(absl::StripAsciiWhitespace(text.substr(colon + 1)));
  }
  return "";
}

double Number(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
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

std::string CpuModelName() { return InCpuInfo("model name"); }

double CpuGigahertz(const std::string& root) {
  const std::string folder = root + "/system/cpu/cpu0/cpufreq/";
  for (const char* file : {"cpuinfo_max_freq", "base_frequency"}) {
    const double kilohertz = Number(FirstLine(folder + file));
    if (kilohertz > 0) return kilohertz / 1e6;
  }
  return Number(InCpuInfo("cpu MHz")) / 1e3;
}

std::optional<double> CpuTemperature(const std::string& root) {
  std::optional<double> hottest;
  std::error_code error;
  for (std::filesystem::directory_iterator it(root, error), end;
       !error && it != end; it.increment(error)) {
    const std::string type = FirstLine(it->path() / "type");
    const bool of_cpu = type == "x86_pkg_temp" ||
                        absl::StartsWith(type, "cpu") ||
                        absl::StartsWith(type, "coretemp");
    const std::string text = FirstLine(it->path() / "temp");
    double thousandths;
    if (!of_cpu || !absl::SimpleAtod(text, &thousandths)) continue;
    const double degrees = thousandths / 1000;
    hottest = std::max(degrees, hottest.value_or(degrees));
  }
  return hottest;
}

}  // namespace dovetail
