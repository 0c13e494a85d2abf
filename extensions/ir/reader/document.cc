#include "dovetail/extensions/ir/reader/document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/attributes/values.h"

namespace dovetail::ir {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text`; 0 when there
// is none: overlong forms, surrogates and numbers over 10FFFF are none.
size_t SequenceLength(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const auto follows = [&](size_t i, int low, int high) {
    return i < text.size() && low <= byte(i) && byte(i) <= high;
  };
  const int lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return follows(1, 0x80, 0xbf) ? 2 : 0;
  if (lead < 0xf0) {
    const int low = lead == 0xe0 ? 0xa0 : 0x80;
    const int high = lead == 0xed ? 0x9f : 0xbf;
    return follows(1, low, high) && follows(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (lead > 0xf4) return 0;
  const int low = lead == 0xf0 ? 0x90 : 0x80;
  const int high = lead == 0xf4 ? 0x8f : 0xbf;
  return follows(1, low, high) && follows(2, 0x80, 0xbf) &&
                 follows(3, 0x80, 0xbf)
             ? 4
             : 0;
}

// Where the text stops being what XML may consist of.
std::optional<size_t> FirstBadByte(absl::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') return i;
    const size_t length = SequenceLength(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string LineOf(absl::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  const auto line = std::count(text.begin(), text.begin() + offset, '\n') + 1;
  return absl::StrCat("line ", line, " (byte ", offset, ")");
}

}  // namespace

absl::Status CheckText(absl::string_view text) {
  const std::optional<size_t> bad = FirstBadByte(text);
  if (!bad.has_value()) return absl::OkStatus();
  return InvalidArgument("not UTF-8 text: wrong character in ",
                         LineOf(text, *bad));
}

absl::StatusOr<std::unique_ptr<Document>> Document::Parse(std::string text) {
  DOVETAIL_RETURN_IF_ERROR(CheckText(text));
  std::unique_ptr<Document> document(new Document());
  document->text_ = std::move(text);
  std::string& own = document->text_;
  const pugi::xml_parse_result result = document->tree_.load_buffer_inplace(
      own.data(), own.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    // Parsing in place has changed the text, but not its line ends before the
    // place of the error by more than dropped carriage returns.
    const auto offset = static_cast<size_t>(std::max<ptrdiff_t>(
        result.offset, 0));
    return InvalidArgument("not well-formed XML: ", result.description(),
                           " in ", LineOf(own, offset));
  }
  if (!document->root()) return InvalidArgument("an XML file without content");
  return document;
}

std::string LocationOf(pugi::xml_node element) {
  return absl::StrCat("<", element.name(), "> at byte ",
                      static_cast<int64_t>(element.offset_debug()));
}

absl::StatusOr<absl::string_view> RequireText(pugi::xml_node element,
                                              const char* attribute) {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (found) return absl::string_view(found.value());
  return InvalidArgument(LocationOf(element), ": attribute '", attribute,
                         "' is missing");
}

absl::StatusOr<int64_t> RequireInt(pugi::xml_node element,
                                   const char* attribute) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text,
                            RequireText(element, attribute));
  absl::StatusOr<int64_t> value = ParseInt(text);
  if (value.ok()) return value;
  return InvalidArgument(LocationOf(element), ": attribute '", attribute,
                         "': ", value.status().message());
}

absl::StatusOr<int64_t> IntOr(pugi::xml_node element, const char* attribute,
                              int64_t fallback) {
  if (!element.attribute(attribute)) return fallback;
  return RequireInt(element, attribute);
}

}  // namespace dovetail::ir
