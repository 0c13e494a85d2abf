#include "dovetail/testing/one_process/process_state.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace dovetail {
namespace {

// The number behind "<name>:" in a line of the file, at or after a line that
// begins with `from`; -1 without one.
int64_t NumberIn(const std::string& path, const std::string& from,
                 const std::string& name) {
  std::ifstream file(path);
  std::string line;
  bool found = from.empty();
  while (std::getline(file, line)) {
    found = found || absl::StartsWith(line, from);
    if (!found || !absl::StartsWith(line, name + ":")) continue;
    std::istringstream words(line.substr(name.size() + 1));
    int64_t number = -1;
    words >> number;
    return number;
  }
  return -1;
}

}  // namespace

std::map<std::string, int> DovetailThreads() {
  std::map<std::string, int> threads;
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    std::getline(file, name);
    if (absl::StartsWith(name, "dovetail-")) ++threads[name];
  }
  return threads;
}

int64_t ResidentBytesAt(const void* begin) {
  const int64_t kib = NumberIn(
      "/proc/self/smaps",
      absl::StrCat(absl::Hex(reinterpret_cast<uintptr_t>(begin)), "-"), "Rss");
  return kib < 0 ? kib : kib * 1024;
}

int64_t StatusKib(const std::string& line) {
  return NumberIn("/proc/self/status", "", line);
}

}  // namespace dovetail
