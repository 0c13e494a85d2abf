#include "dovetail/core/properties/device_properties.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

class Parser {
 public:
  explicit Parser(absl::string_view text) : text_(text) {}

  // "{name:<item>,name:<item>}", where `read_item(name)` reads what is behind
  // the colon.
  template <typename ReadItem>
  absl::Status ReadBraces(ReadItem read_item) {
    DOVETAIL_RETURN_IF_ERROR(Expect('{'));
    if (Take('}')) return absl::OkStatus();
    do {
      DOVETAIL_ASSIGN_OR_RETURN(std::string name, ReadWord(":,{}"));
      if (name.empty()) return Wrong("a name");
      DOVETAIL_RETURN_IF_ERROR(Expect(':'));
      DOVETAIL_RETURN_IF_ERROR(read_item(std::move(name)));
    } while (Take(','));
    return Expect('}');
  }

  absl::StatusOr<PropertyMap> ReadProperties() {
    PropertyMap properties;
    DOVETAIL_RETURN_IF_ERROR(ReadBraces([&](std::string name) -> absl::Status {
      DOVETAIL_ASSIGN_OR_RETURN(std::string value, ReadWord(",}"));
      if (properties.emplace(name, std::move(value)).second) {
        return absl::OkStatus();
      }
      return InvalidArgument("'", name, "' is there twice");
    }));
    return properties;
  }

  absl::Status ExpectEnd() {
    SkipSpace();
    return at_ == text_.size() ? absl::OkStatus() : Wrong("the end");
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && absl::ascii_isspace(text_[at_])) ++at_;
  }
  bool Take(char wanted) {
    SkipSpace();
    const bool there = at_ < text_.size() && text_[at_] == wanted;
    if (there) ++at_;
    return there;
  }
  absl::Status Wrong(absl::string_view wanted) const {
    return InvalidArgument("want ", wanted, " at character ", at_ + 1,
                           " of a form like {CPU:{NUM_STREAMS:2}}");
  }
  absl::Status Expect(char wanted) {
    if (Take(wanted)) return absl::OkStatus();
    return Wrong(std::string{'\'', wanted, '\''});
  }

  // In quotes, or up to one of `ends` that is in no inner braces or brackets.
  absl::StatusOr<std::string> ReadWord(absl::string_view ends) {
    SkipSpace();
    if (Take('"')) return ReadQuoted();
    const size_t begin = at_;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (depth == 0 && absl::StrContains(ends, absl::string_view(&c, 1))) {
        break;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (depth < 0) return Wrong("no such bracket");
    }
    return std::string(
        absl::StripAsciiWhitespace(text_.substr(begin, at_ - begin)));
  }

  absl::StatusOr<std::string> ReadQuoted() {
    std::string word;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return word;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      word.push_back(text_[at_]);
    }
    return Wrong("a closing quote");
  }

  const absl::string_view text_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<std::map<std::string, PropertyMap>> ParseDeviceProperties(
    absl::string_view text) {
  std::map<std::string, PropertyMap> devices;
  Parser parser(text);
  DOVETAIL_RETURN_IF_ERROR(
      parser.ReadBraces([&](std::string device) -> absl::Status {
        DOVETAIL_ASSIGN_OR_RETURN(PropertyMap properties,
                                  parser.ReadProperties());
        if (devices.emplace(device, std::move(properties)).second) {
          return absl::OkStatus();
        }
        return InvalidArgument("'", device, "' is there twice");
      }));
  DOVETAIL_RETURN_IF_ERROR(parser.ExpectEnd());
  return devices;
}

}  // namespace dovetail
