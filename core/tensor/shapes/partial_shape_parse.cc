// PartialShape::Parse.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"

namespace dovetail {
namespace {

// A finite extent. SimpleAtoi alone would take signs and spaces too.
std::optional<int64_t> ParseExtent(absl::string_view text) {
  int64_t value;
  if (text.empty() || !absl::ascii_isdigit(text.front()) ||
      !absl::SimpleAtoi(text, &value) || value == Dimension::kInfinity) {
    return std::nullopt;
  }
  return value;
}

// "a..b", "a..", "..b", given what stands on either side of the dots.
std::optional<Dimension> ParseInterval(absl::string_view low,
                                       absl::string_view high) {
  if (low.empty() && high.empty()) return std::nullopt;
  const std::optional<int64_t> min = low.empty() ? 0 : ParseExtent(low);
  const std::optional<int64_t> max =
      high.empty() ? Dimension::kInfinity : ParseExtent(high);
  if (!min.has_value() || !max.has_value() || *min > *max) return std::nullopt;
  return Dimension(*min, *max);
}

std::optional<Dimension> ParseDimension(absl::string_view text) {
  if (text == "?" || text == "-1") return Dimension::Unknown();
  const size_t dots = text.find("..");
  if (dots != absl::string_view::npos) {
    return ParseInterval(absl::StripAsciiWhitespace(text.substr(0, dots)),
                         absl::StripAsciiWhitespace(text.substr(dots + 2)));
  }
  const std::optional<int64_t> value = ParseExtent(text);
  if (!value.has_value()) return std::nullopt;
  return Dimension(*value);
}

}  // namespace

absl::StatusOr<PartialShape> PartialShape::Parse(absl::string_view text) {
  absl::string_view list = absl::StripAsciiWhitespace(text);
  if (absl::ConsumePrefix(&list, "[") != absl::ConsumeSuffix(&list, "]")) {
    return absl::InvalidArgumentError(
        absl::StrCat("shape \"", text, "\": a bracket has no partner"));
  }
  list = absl::StripAsciiWhitespace(list);
  if (list == "...") return DynamicRank();
  PartialShape shape = OfRank(0);
  if (list.empty()) return shape;
  for (absl::string_view item : absl::StrSplit(list, ',')) {
    const std::optional<Dimension> dim =
        ParseDimension(absl::StripAsciiWhitespace(item));
    if (!dim.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "shape \"", text, "\": \"", item, "\" is no dimension"));
    }
    shape.push_back(*dim);
  }
  return shape;
}

}  // namespace dovetail
