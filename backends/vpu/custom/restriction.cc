#include "dovetail/backends/vpu/custom/restriction.h"

#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "dovetail/backends/vpu/custom/layer_parameters.h"

namespace dovetail::vpu {
namespace {

struct Comparison {
  absl::string_view sign;
  bool (*holds)(double, double);
};

// Longer signs come first.
constexpr Comparison kComparisons[] = {
    {">=", [](double a, double b) { return a >= b; }},
    {"<=", [](double a, double b) { return a <= b; }},
    {"!=", [](double a, double b) { return a != b; }},
    {">", [](double a, double b) { return a > b; }},
    {"<", [](double a, double b) { return a < b; }},
    {"", [](double a, double b) { return a == b; }},
};

}  // namespace

bool MeetsRestriction(absl::string_view attribute,
                      absl::string_view restriction) {
  attribute = absl::StripAsciiWhitespace(attribute);
  restriction = absl::StripAsciiWhitespace(restriction);
  double value = 0, bound = 0;
  if (!absl::SimpleAtod(attribute, &value)) {
    return absl::EqualsIgnoreCase(attribute, restriction);
  }
  for (const Comparison& comparison : kComparisons) {
    absl::string_view rest = restriction;
    if (!absl::ConsumePrefix(&rest, comparison.sign)) continue;
    return absl::SimpleAtod(absl::StripAsciiWhitespace(rest), &bound) &&
           comparison.holds(value, bound);
  }
  return false;
}

bool MeetsRestrictions(
    const std::vector<std::pair<std::string, std::string>>& restrictions,
    const Node& node) {
  if (restrictions.empty()) return true;
  const std::map<std::string, std::string> attributes = LayerParameters(node);
  for (const auto& [name, restriction] : restrictions) {
    const auto it = attributes.find(name);
    if (it == attributes.end() || !MeetsRestriction(it->second, restriction)) {
      return false;
    }
  }
  return true;
}

}  // namespace dovetail::vpu
