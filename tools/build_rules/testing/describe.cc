#include "dovetail/tools/build_rules/testing/describe.h"

#include "absl/strings/str_cat.h"

namespace dovetail {

std::string Describe(const std::string& name,
                     const std::map<std::string, int>& options) {
  std::string text = name;
  for (const auto& [key, value] : options) {
    absl::StrAppend(&text, " ", key, "=", value);
  }
  return text;
}

}  // namespace dovetail
