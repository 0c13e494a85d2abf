// Writes cases as text from sets on disk: see case_writer.h.
//
//   write_cases SET... [--into=FOLDER] [--filter=GLOB]
//
// FOLDER is cases/ of this source tree when Bazel runs it.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dovetail/testing/conformance/operations/writing/case_writer.h"

namespace dovetail {
namespace {

std::string DefaultFolder() {
  const char* root = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  return absl::StrCat(root == nullptr ? "." : root,
                      "/testing/conformance/operations/cases");
}

int Main(const std::vector<std::string>& arguments) {
  std::vector<std::string> sets;
  std::string folder = DefaultFolder(), filter = "*";
  for (const std::string& argument : arguments) {
    absl::string_view value = argument;
    if (absl::ConsumePrefix(&value, "--into=")) {
      folder = std::string(value);
    } else if (absl::ConsumePrefix(&value, "--filter=")) {
      filter = std::string(value);
    } else {
      sets.push_back(argument);
    }
  }
  if (sets.empty() || absl::StartsWith(sets[0], "-")) {
    std::cerr << "usage: write_cases SET... [--into=FOLDER] [--filter=GLOB]\n";
    return 2;
  }
  const absl::StatusOr<int> count = WriteCases(sets, filter, folder);
  if (!count.ok()) {
    std::cerr << count.status().message() << "\n";
    return 1;
  }
  std::cout << *count << " cases\n";
  return 0;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  return dovetail::Main(std::vector<std::string>(argv + 1, argv + argc));
}
