#include "dovetail/extensions/custom_kernels/xml_elements.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "dovetail/extensions/custom_kernels/size_expression.h"

namespace dovetail {
namespace {

constexpr int kMaxIndex = 255;

// INPUT12_DIMS or OUTPUT0_DIMS.
bool IsDims(absl::string_view name) {
  const bool has_ends = absl::ConsumeSuffix(&name, "_DIMS") &&
                        (absl::ConsumePrefix(&name, "INPUT") ||
                         absl::ConsumePrefix(&name, "OUTPUT"));
  return has_ends && !name.empty() && absl::c_all_of(name, absl::ascii_isdigit);
}

bool IsKnown(absl::string_view name, int64_t index,
             const std::vector<std::string>& macros) {
  if (IsDims(name)) return 0 <= index && index < 4;
  if (index != -1) return false;
  const bool is_letter =
      name.size() == 1 && absl::StrContains("BFYXbfyx", name);
  return is_letter || absl::c_linear_search(macros, name);
}

}  // namespace

std::string XmlElements::PlaceOf(pugi::xml_node element) const {
  const auto offset =
      std::clamp<ptrdiff_t>(element.offset_debug(), 0, xml_.size());
  return absl::StrCat(
      name_, ":", std::count(xml_.begin(), xml_.begin() + offset, '\n') + 1);
}

absl::StatusOr<std::string> XmlElements::Require(pugi::xml_node element,
                                                 const char* attribute) const {
  const std::string text = element.attribute(attribute).value();
  if (!text.empty()) return text;
  return Problem(element, "attribute '", attribute, "' is ",
                 element.attribute(attribute) ? "empty" : "missing");
}

absl::Status XmlElements::RequireValue(pugi::xml_node element,
                                       const char* attribute,
                                       absl::string_view expected) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string text,
                            Require(element, attribute));
  if (text == expected) return absl::OkStatus();
  return Problem(element, "attribute ", attribute, "=\"", text, "\"; only \"",
                 expected, "\" is known");
}

absl::StatusOr<int> XmlElements::Index(pugi::xml_node element,
                                       const char* attribute) const {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string text,
                            Require(element, attribute));
  return IndexOf(element, attribute, text);
}

absl::StatusOr<int> XmlElements::IndexOf(pugi::xml_node element,
                                         const char* attribute,
                                         absl::string_view text) const {
  int index = -1;
  if (absl::SimpleAtoi(text, &index) && 0 <= index && index <= kMaxIndex) {
    return index;
  }
  return Problem(element, "attribute ", attribute, "=\"",
                 element.attribute(attribute).value(), "\": '", text,
                 "' is no number from 0 to ", kMaxIndex);
}

absl::Status XmlElements::CheckExpression(
    pugi::xml_node element, const char* attribute, absl::string_view text,
    const std::vector<std::string>& macros) const {
  const absl::Status status = CheckSizeExpression(
      text,
      [&](absl::string_view name, int64_t index) -> std::optional<int64_t> {
        if (!IsKnown(name, index, macros)) return std::nullopt;
        return 1;
      });
  if (status.ok()) return absl::OkStatus();
  return Problem(element, "attribute '", attribute, "': ", status.message());
}

}  // namespace dovetail
