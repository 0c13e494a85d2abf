#include "dovetail/extensions/npy/npy.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/extensions/npy/header.h"

namespace dovetail {
namespace {

struct TypeName {
  absl::string_view descr;
  ElementType type;
};
constexpr TypeName kTypes[] = {
    {"|b1", ElementType::kBoolean}, {"<f2", ElementType::kF16},
    {"<f4", ElementType::kF32},     {"<f8", ElementType::kF64},
    {"|i1", ElementType::kI8},      {"<i2", ElementType::kI16},
    {"<i4", ElementType::kI32},     {"<i8", ElementType::kI64},
    {"|u1", ElementType::kU8},      {"<u2", ElementType::kU16},
    {"<u4", ElementType::kU32},     {"<u8", ElementType::kU64},
};

absl::StatusOr<ElementType> TypeOfDescr(absl::string_view descr) {
  for (const TypeName& known : kTypes) {
    if (known.descr == descr) return known.type;
  }
  return InvalidArgument("the .npy type '", descr,
                         "' is not read: little-endian b1, i1 to i8, u1 to u8, "
                         "f2 to f8, S and U are");
}

// UTF-8 of a code point; one that does not exist becomes '?'.
void AppendUtf8(uint32_t code, std::string& text) {
  if (code < 0x80) {
    text.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    text.push_back(static_cast<char>(0xc0 | code >> 6));
    text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else if (code < 0x10000) {
    text.push_back(static_cast<char>(0xe0 | code >> 12));
    text.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else if (code < 0x110000) {
    text.push_back(static_cast<char>(0xf0 | code >> 18));
    text.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3f)));
    text.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else {
    text.push_back('?');
  }
}

std::string DecodeString(absl::string_view bytes, bool is_utf32) {
  if (!is_utf32) {  // padded with zeros
    while (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
    return std::string(bytes);
  }
  std::string text;
  for (; bytes.size() >= 4; bytes.remove_prefix(4)) {
    uint32_t code;
    std::memcpy(&code, bytes.data(), sizeof(code));
    if (code == 0) break;
    AppendUtf8(code, text);
  }
  return text;
}

absl::Status CheckSize(int64_t want, absl::string_view data) {
  if (want <= static_cast<int64_t>(data.size())) return absl::OkStatus();
  return InvalidArgument("the .npy file is cut off: its elements take ", want,
                         " bytes, ", data.size(), " are there");
}

absl::StatusOr<Tensor> ParseStrings(const npy::Header& header,
                                    absl::string_view data) {
  int64_t length;
  const bool is_utf32 = header.descr[1] == 'U';
  if (!absl::SimpleAtoi(absl::string_view(header.descr).substr(2), &length) ||
      length < 0 || length > (int64_t{1} << 30)) {
    return TypeOfDescr(header.descr).status();
  }
  if (is_utf32) length *= 4;
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, header.shape.ElementCount());
  const std::optional<int64_t> size = CheckedMultiply(count, length);
  if (!size) return InvalidArgument("the .npy shape is too large");
  DOVETAIL_RETURN_IF_ERROR(CheckSize(*size, data));
  // A string of no bytes takes none in the file but an object here.
  if (length == 0 && count > (int64_t{1} << 24)) {
    return InvalidArgument("the .npy file has too many empty strings");
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor tensor, Tensor::Allocate(ElementType::kString, header.shape));
  for (int64_t i = 0; i < count; ++i) {
    tensor.mutable_data<std::string>()[i] =
        DecodeString(data.substr(i * length, length), is_utf32);
  }
  return tensor;
}

// Elements stored with the first axis fastest, put into C order.
absl::StatusOr<Tensor> FromFortranOrder(const Tensor& source,
                                        const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor result, Tensor::AllocateUninitialized(source.type(), shape));
  const int64_t size = BitWidth(source.type()) / 8;
  std::vector<int64_t> index(shape.rank(), 0);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    int64_t from = 0;
    for (int axis = shape.rank(); axis-- > 0;) {
      from = from * shape[axis] + index[axis];
    }
    std::memcpy(result.mutable_data<char>() + i * size,
                source.data<char>() + from * size, size);
    for (int axis = shape.rank(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

// What is written for a tensor: its type's name, or that of a wider type.
absl::StatusOr<std::string> DescrOf(const Tensor& tensor) {
  if (tensor.type() == ElementType::kString) {
    size_t length = 1;
    for (const std::string& text : tensor.span<std::string>()) {
      length = std::max(length, text.size());
    }
    return absl::StrCat("|S", length);
  }
  for (const TypeName& known : kTypes) {
    if (known.type == tensor.type()) return std::string(known.descr);
  }
  return Internal("no .npy type for ", ElementTypeName(tensor.type()));
}

ElementType WidenedType(ElementType type) {
  if (type == ElementType::kString || type == ElementType::kBoolean)
    return type;
  if (IsFloat(type)) return BitWidth(type) < 16 || type == ElementType::kBf16
                                ? ElementType::kF32
                                : type;
  if (!IsSubByte(type)) return type;
  return IsSigned(type) ? ElementType::kI8 : ElementType::kU8;
}

void AppendElements(const Tensor& tensor, int64_t string_length,
                    std::string& out) {
  if (tensor.type() != ElementType::kString) {
    out.append(tensor.data<char>(), tensor.byte_size());
    return;
  }
  for (const std::string& text : tensor.span<std::string>()) {
    out.append(text);
    out.append(string_length - text.size(), '\0');
  }
}

}  // namespace

absl::StatusOr<Tensor> ParseNpy(absl::string_view bytes) {
  DOVETAIL_ASSIGN_OR_RETURN(const npy::Header header, npy::ParseHeader(bytes));
  const absl::string_view data = bytes.substr(header.data_offset);
  if (header.descr.size() > 2 &&
      (header.descr[1] == 'S' || header.descr[1] == 'U')) {
    return ParseStrings(header, data);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type, TypeOfDescr(header.descr));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, header.shape.ElementCount());
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t size, ByteSize(type, count));
  DOVETAIL_RETURN_IF_ERROR(CheckSize(size, data));
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor tensor, Tensor::AllocateUninitialized(type, header.shape));
  if (size > 0) std::memcpy(tensor.mutable_raw_data(), data.data(), size);
  if (header.fortran_order && header.shape.rank() > 1) {
    return FromFortranOrder(tensor, header.shape);
  }
  return tensor;
}

absl::StatusOr<Tensor> ReadNpy(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  absl::StatusOr<Tensor> tensor = ParseNpy(absl::string_view(
      static_cast<const char*>(file->data()), file->size()));
  if (!tensor.ok()) return Annotate(tensor.status(), path);
  return tensor;
}

absl::StatusOr<std::string> FormatNpy(const Tensor& tensor) {
  if (!tensor.has_data()) return InvalidArgument("there is no tensor to write");
  const ElementType type = WidenedType(tensor.type());
  Tensor plain = tensor;
  if (type != tensor.type()) {
    DOVETAIL_ASSIGN_OR_RETURN(plain, ConvertTensor(tensor, type));
  } else if (!tensor.is_contiguous()) {
    DOVETAIL_ASSIGN_OR_RETURN(plain, tensor.Clone());
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::string descr, DescrOf(plain));
  std::string out = npy::FormatHeader(descr, plain.shape());
  int64_t string_length = 0;
  if (type == ElementType::kString &&
      !absl::SimpleAtoi(absl::string_view(descr).substr(2), &string_length)) {
    return Internal("the .npy type ", descr, " has no length");
  }
  AppendElements(plain, string_length, out);
  return out;
}

absl::Status WriteNpy(const std::string& path, const Tensor& tensor) {
  absl::StatusOr<std::string> bytes = FormatNpy(tensor);
  if (!bytes.ok()) return Annotate(bytes.status(), path);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
  file.close();
  if (!file) return Unavailable("cannot write ", path);
  return absl::OkStatus();
}

}  // namespace dovetail
