#include "dovetail/extensions/ir/reader/constants.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/attributes/values.h"
#include "dovetail/extensions/ir/reader/document.h"

namespace dovetail::ir {
namespace {

absl::Status InAttribute(const char* name, const absl::Status& status) {
  return InvalidArgument("attribute '", name, "': ", status.message());
}

absl::StatusOr<ElementType> ReadType(pugi::xml_node data) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text,
                            RequireText(data, "element_type"));
  absl::StatusOr<ElementType> type =
      ParseElementType(absl::StripAsciiWhitespace(text));
  if (!type.ok()) return InAttribute("element_type", type.status());
  if (*type == ElementType::kDynamic) {
    return InvalidArgument("attribute 'element_type': a constant cannot be ",
                           text);
  }
  return *type;
}

absl::StatusOr<Shape> ReadShape(pugi::xml_node data, int max_rank) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text,
                            RequireText(data, "shape"));
  absl::StatusOr<std::vector<int64_t>> dims = ParseInts(text);
  if (!dims.ok()) return InAttribute("shape", dims.status());
  if (static_cast<int>(dims->size()) > max_rank) {
    return InvalidArgument("attribute 'shape': over ", max_rank, " dimensions");
  }
  Shape shape(*dims);
  if (absl::Status count = shape.ElementCount().status(); !count.ok()) {
    return InAttribute("shape", count);
  }
  return shape;
}

int32_t Int32At(const uint8_t* data) {
  int32_t value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

// A byte that is neither 0 nor 1 is no bool to C++.
bool HasOtherThanBooleans(const uint8_t* data, int64_t size) {
  return std::any_of(data, data + size, [](uint8_t byte) { return byte > 1; });
}

// Constants of fewer bytes are copied when they are not aligned.
constexpr int64_t kLarge = 1 << 16;

absl::StatusOr<Tensor> CopyBooleans(const Shape& shape, const uint8_t* data,
                                    int64_t size) {
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor tensor,
      Tensor::AllocateUninitialized(ElementType::kBoolean, shape));
  std::transform(data, data + size,
                 static_cast<uint8_t*>(tensor.mutable_raw_data()),
                 [](uint8_t byte) { return byte != 0 ? 1 : 0; });
  return tensor;
}

}  // namespace

Weights::Weights(const void* data, int64_t size,
                 std::shared_ptr<const void> owner)
    : data_(static_cast<const uint8_t*>(data)),
      size_(size),
      owner_(std::move(owner)) {
  // Unaligned constants take as much as their bytes. A string takes an object
  // of its own for the four bytes of its end in the table.
  constexpr int64_t kFactor = 2 + sizeof(std::string) / sizeof(int32_t);
  copy_budget_ = CheckedMultiply(size, kFactor).value_or(size);
}

absl::StatusOr<Tensor> Weights::ReadConstant(pugi::xml_node data,
                                             int max_rank) {
  if (!data) return InvalidArgument("element <data> is missing");
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type, ReadType(data));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, ReadShape(data, max_rank));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t offset, RequireInt(data, "offset"));
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t size, RequireInt(data, "size"));
  return ReadTensor(type, shape, offset, size);
}

absl::StatusOr<Tensor> Weights::ReadTensor(ElementType type, const Shape& shape,
                                           int64_t offset, int64_t size) {
  if (!why_absent_.empty()) {
    return InvalidArgument("needs weights, ", why_absent_);
  }
  if (offset < 0 || size < 0) {
    return InvalidArgument("attributes 'offset' and 'size': ", offset, " and ",
                           size, " must not be negative");
  }
  const std::optional<int64_t> end = CheckedAdd(offset, size);
  if (!end.has_value() || *end > size_) {
    return InvalidArgument("attributes 'offset' and 'size': ", size,
                           " bytes at ", offset, " are not in the weights of ",
                           size_, " bytes");
  }
  return Make(type, shape, offset, size);
}

absl::StatusOr<Tensor> Weights::Make(ElementType type, const Shape& shape,
                                     int64_t offset, int64_t size) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  const bool is_string = type == ElementType::kString;
  int64_t needed = 0;
  if (!is_string) {
    DOVETAIL_ASSIGN_OR_RETURN(needed, ByteSize(type, count));
    if (size < needed) {
      return InvalidArgument("attribute 'size': ", size, " bytes for ",
                             ElementTypeName(type), shape.ToString(),
                             ", which takes ", needed);
    }
  }
  const auto key = std::make_tuple(type, offset, size);
  if (const auto found = copies_.find(key); found != copies_.end()) {
    if (absl::StatusOr<Tensor> same = found->second.Reshape(shape); same.ok()) {
      return same;
    }
  }
  if (is_string) return MakeStrings(shape, offset, size);
  const uint8_t* data = data_ + offset;
  if (type == ElementType::kBoolean && HasOtherThanBooleans(data, needed)) {
    DOVETAIL_RETURN_IF_ERROR(Spend(needed));
    DOVETAIL_ASSIGN_OR_RETURN(Tensor copy, CopyBooleans(shape, data, needed));
    return copies_[key] = copy;
  }
  // Weights are mostly read once, to be packed, and many files have them where
  // floats may not be read.
  const bool is_large = needed >= kLarge;
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor tensor,
      is_large ? Tensor::ShareUnaligned(type, shape, data, needed, owner_)
               : Tensor::Share(type, shape, data, needed, owner_));
  if (needed > 0 && (tensor.address() != data || !tensor.is_aligned())) {
    DOVETAIL_RETURN_IF_ERROR(Spend(needed));
    copies_[key] = tensor;
  }
  return tensor;
}

// A table of 32-bit numbers, count, 0 and the end of each string, then the
// bytes of all.
absl::StatusOr<Tensor> Weights::MakeStrings(const Shape& shape, int64_t offset,
                                            int64_t size) {
  const uint8_t* data = data_ + offset;
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  const std::optional<int64_t> words = CheckedAdd(count, 2);
  const auto table = words ? CheckedMultiply(*words, 4) : std::nullopt;
  if (!table.has_value() || *table > size || Int32At(data) != count) {
    return InvalidArgument("attribute 'size': ", size,
                           " bytes do not hold the strings of ",
                           shape.ToString());
  }
  DOVETAIL_RETURN_IF_ERROR(Spend(count * sizeof(std::string) + size - *table));
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                            Tensor::Allocate(ElementType::kString, shape));
  std::string* strings = tensor.mutable_data<std::string>();
  int64_t begin = Int32At(data + 4);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t end = Int32At(data + 4 * (i + 2));
    if (begin < 0 || end < begin || end > size - *table) {
      return InvalidArgument("string ", i, " of the constant is from byte ",
                             begin, " to ", end, " of ", size - *table);
    }
    strings[i].assign(reinterpret_cast<const char*>(data + *table + begin),
                      end - begin);
    begin = end;
  }
  return copies_[std::make_tuple(ElementType::kString, offset, size)] = tensor;
}

absl::Status Weights::Spend(int64_t bytes) {
  copy_budget_ -= bytes;
  if (copy_budget_ >= 0) return absl::OkStatus();
  return InvalidArgument(
      "the constants overlap so much that copies of them would take several "
      "times the size of the weights");
}

}  // namespace dovetail::ir
