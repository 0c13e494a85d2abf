#include "dovetail/extensions/npy/header.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"

namespace dovetail::npy {
namespace {

constexpr absl::string_view kMagic("\x93NUMPY", 6);
// More than NumPy itself reads; a longer header is not a tensor's.
constexpr size_t kMaxHeader = 1 << 16;

uint32_t LittleEndian(absl::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return value;
}

// What follows "'key':" in the dictionary.
absl::StatusOr<absl::string_view> After(absl::string_view dictionary,
                                        absl::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted =
        absl::StrCat(std::string(1, quote), key, std::string(1, quote));
    const size_t at = dictionary.find(quoted);
    if (at == absl::string_view::npos) continue;
    absl::string_view rest = absl::StripLeadingAsciiWhitespace(
        dictionary.substr(at + quoted.size()));
    if (!absl::ConsumePrefix(&rest, ":")) break;
    return absl::StripLeadingAsciiWhitespace(rest);
  }
  return InvalidArgument("the .npy header has no '", key, "'");
}

absl::StatusOr<std::string> ParseDescr(absl::string_view text) {
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) {
    return InvalidArgument(
        "the .npy header's 'descr' is no simple type; structures are not read");
  }
  const size_t end = text.find(text[0], 1);
  if (end == absl::string_view::npos) {
    return InvalidArgument("the .npy header's 'descr' does not end");
  }
  return std::string(text.substr(1, end - 1));
}

absl::StatusOr<Shape> ParseShape(absl::string_view text) {
  const size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == absl::string_view::npos) {
    return InvalidArgument("the .npy header's 'shape' is no tuple");
  }
  Shape shape;
  for (absl::string_view part :
       absl::StrSplit(text.substr(1, end - 1), ',', absl::SkipWhitespace())) {
    int64_t dim;
    if (!absl::SimpleAtoi(absl::StripAsciiWhitespace(part), &dim) || dim < 0) {
      return InvalidArgument("the .npy header's 'shape' has '", part,
                             "' where a number >= 0 belongs");
    }
    shape.push_back(dim);
  }
  return shape;
}

// The dictionary, and in `data_offset` where it ends.
absl::StatusOr<absl::string_view> FindDictionary(absl::string_view bytes,
                                                 int64_t& data_offset) {
  if (!absl::StartsWith(bytes, kMagic) || bytes.size() < 10) {
    return InvalidArgument(
        "not a .npy file: it does not begin with \\x93NUMPY");
  }
  const int major = bytes[6];
  if (major < 1 || major > 3) {
    return InvalidArgument("version ", major,
                           " of the .npy format is not read, only 1 to 3");
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  if (bytes.size() < start)
    return InvalidArgument("the .npy header is cut off");
  const size_t length = LittleEndian(bytes.substr(8, length_bytes));
  if (length > kMaxHeader || bytes.size() - start < length) {
    return InvalidArgument("the .npy header says that it has ", length,
                           " bytes, the file has ", bytes.size());
  }
  data_offset = static_cast<int64_t>(start + length);
  return bytes.substr(start, length);
}

}  // namespace

absl::StatusOr<Header> ParseHeader(absl::string_view bytes) {
  Header header;
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view dictionary,
                            FindDictionary(bytes, header.data_offset));
  DOVETAIL_ASSIGN_OR_RETURN(absl::string_view descr,
                            After(dictionary, "descr"));
  DOVETAIL_ASSIGN_OR_RETURN(header.descr, ParseDescr(descr));
  DOVETAIL_ASSIGN_OR_RETURN(absl::string_view order,
                            After(dictionary, "fortran_order"));
  header.fortran_order = absl::StartsWith(order, "True");
  DOVETAIL_ASSIGN_OR_RETURN(absl::string_view shape,
                            After(dictionary, "shape"));
  DOVETAIL_ASSIGN_OR_RETURN(header.shape, ParseShape(shape));
  return header;
}

std::string FormatHeader(absl::string_view descr, const Shape& shape) {
  std::string dictionary = absl::StrCat(
      "{'descr': '", descr, "', 'fortran_order': False, 'shape': (",
      absl::StrJoin(shape.dims(), ", "), shape.rank() == 1 ? ",), }" : "), }");
  constexpr size_t kPreamble = 10, kAlignment = 64;
  const size_t used = kPreamble + dictionary.size() + 1;
  dictionary.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  dictionary.push_back('\n');
  const char preamble[] = {1, 0, static_cast<char>(dictionary.size() & 0xff),
                           static_cast<char>(dictionary.size() >> 8)};
  return absl::StrCat(kMagic, absl::string_view(preamble, sizeof(preamble)),
                      dictionary);
}

}  // namespace dovetail::npy
