#include "dovetail/core/executor/cpus/cpu_info.h"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/cpus/cgroup.h"

namespace dovetail {
namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
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
