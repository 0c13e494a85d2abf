#include "dovetail/tools/conformance/junit.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace dovetail::conformance {
namespace {

std::string Escape(absl::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      // XML has no other control characters.
      default: result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

int64_t Count(const std::vector<Outcome>& outcomes, Outcome::Kind kind) {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [kind](const Outcome& o) { return o.kind == kind; });
}

}  // namespace

std::string FormatJunit(absl::string_view suite, const std::vector<Case>& cases,
                        const std::vector<Outcome>& outcomes) {
  std::string xml = absl::StrFormat(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n",
      Escape(suite), outcomes.size(),
      Count(outcomes, Outcome::Kind::kFailed),
      Count(outcomes, Outcome::Kind::kSkipped));
  for (size_t i = 0; i < outcomes.size(); ++i) {
    absl::StrAppendFormat(
        &xml, "  <testcase classname=\"%s\" name=\"%s\" time=\"%.3f\">",
        Escape(cases[i].operations), Escape(cases[i].name),
        outcomes[i].seconds);
    if (outcomes[i].kind != Outcome::Kind::kPassed) {
      absl::StrAppend(
          &xml, "<",
          outcomes[i].kind == Outcome::Kind::kFailed ? "failure" : "skipped",
          " message=\"", Escape(outcomes[i].message), "\"/>");
    }
    absl::StrAppend(&xml, "</testcase>\n");
  }
  return absl::StrCat(xml, "</testsuite>\n");
}

}  // namespace dovetail::conformance
