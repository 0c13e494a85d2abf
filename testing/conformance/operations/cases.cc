#include "dovetail/testing/conformance/operations/cases.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "dovetail/core/base/status.h"
#include "dovetail/testing/shared_files.h"

namespace dovetail {
namespace {

std::string CasesFolder() {
  return RunfilePath("testing/conformance/operations/cases");
}

}  // namespace

std::vector<std::string> OperationCaseFiles() {
  std::vector<std::string> files;
  const std::string folder = CasesFolder();
  std::error_code error;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() != ".txt") continue;
    files.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string TestNameOf(absl::string_view file) {
  return absl::StrReplaceAll(absl::StripSuffix(file, ".txt"), {{"/", "_"}});
}

absl::StatusOr<std::vector<OperationCase>> LoadOperationCases(
    absl::string_view file) {
  const std::string path = absl::StrCat(CasesFolder(), "/", file);
  std::ifstream stream(path);
  if (!stream) return NotFound("cannot read ", path);
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  absl::StatusOr<std::vector<OperationCase>> cases = ParseCases(text);
  if (!cases.ok()) {
    return Annotate(cases.status(), absl::StrCat("cases/", file));
  }
  return cases;
}

}  // namespace dovetail
