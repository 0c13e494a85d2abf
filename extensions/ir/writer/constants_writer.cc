#include "dovetail/extensions/ir/writer/constants_writer.h"

#include <cstring>
#include <limits>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/writer/attributes_writer.h"

namespace dovetail::ir {
namespace {

void AppendInt32(int64_t value, std::string* out) {
  const auto narrow = static_cast<int32_t>(value);
  out->append(reinterpret_cast<const char*>(&narrow), sizeof(narrow));
}

// Count, 0, where each string ends, and the bytes of all.
absl::StatusOr<std::string> PackStrings(const Tensor& tensor) {
  std::string table, bytes;
  AppendInt32(tensor.element_count(), &table);
  AppendInt32(0, &table);
  for (const std::string& text : tensor.span<std::string>()) {
    bytes += text;
    if (bytes.size() > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("strings of over 2 GiB have no place in an IR");
    }
    AppendInt32(bytes.size(), &table);
  }
  return table + bytes;
}

}  // namespace

absl::string_view ConstantsWriter::Written::view() const {
  if (!tensor.has_data()) return bytes;
  return {static_cast<const char*>(tensor.address()),
          static_cast<size_t>(tensor.byte_size())};
}

absl::Status ConstantsWriter::Write(const Tensor& value, pugi::xml_node data) {
  if (!value.has_data()) return InvalidArgument("the constant has no value");
  Written constant;
  if (value.type() == ElementType::kString) {
    DOVETAIL_ASSIGN_OR_RETURN(constant.bytes, PackStrings(value));
  } else if (value.is_contiguous()) {
    constant.tensor = value;
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(constant.tensor, value.Clone());
  }
  const absl::string_view bytes = constant.view();
  const auto key = std::make_pair(
      bytes.size(),
      std::hash<std::string_view>()({bytes.data(), bytes.size()}));
  auto [found, end] = written_.equal_range(key);
  while (found != end && found->second.view() != bytes) ++found;
  if (found == end) {
    DOVETAIL_RETURN_IF_ERROR(Append(bytes, &constant.offset));
    found = written_.emplace(key, std::move(constant));
  }
  SetText(data, "element_type", ElementTypeName(value.type()));
  SetText(data, "shape", absl::StrJoin(value.shape().dims(), ", "));
  SetText(data, "offset", absl::StrCat(found->second.offset));
  SetText(data, "size", absl::StrCat(key.first));
  return absl::OkStatus();
}

absl::Status ConstantsWriter::Append(absl::string_view bytes, int64_t* offset) {
  constexpr size_t kLarge = 4096;
  const int64_t alignment = bytes.size() >= kLarge ? 64 : 8;
  if (const int64_t over = size_ % alignment; over != 0) {
    const std::string padding(alignment - over, '\0');
    DOVETAIL_RETURN_IF_ERROR(sink_(padding));
    size_ += alignment - over;
  }
  *offset = size_;
  size_ += static_cast<int64_t>(bytes.size());
  return sink_(bytes);
}

}  // namespace dovetail::ir
