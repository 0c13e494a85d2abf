#include "dovetail/core/ops/binary/tensor_bytes.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

constexpr size_t kNumberBytes = 8;
// Whether elements follow or are elsewhere.
constexpr uint8_t kHere = 0;
constexpr uint8_t kElsewhere = 1;

absl::StatusOr<Shape> ReadShape(ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t rank, reader.Count(kNumberBytes));
  std::vector<int64_t> dims;
  for (size_t i = 0; i < rank; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t dim, reader.Signed());
    if (dim < 0) return DataLoss("a tensor has extent ", dim);
    dims.push_back(dim);
  }
  return Shape(dims);
}

absl::StatusOr<Tensor> ReadStrings(const Shape& shape, int64_t count,
                                   ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const size_t there, reader.Count(kNumberBytes));
  if (there != static_cast<size_t>(count)) {
    return DataLoss("a tensor of ", count, " texts has ", there);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::Allocate(ElementType::kString, shape));
  for (std::string& text : tensor.mutable_span<std::string>()) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view view, reader.Text());
    text.assign(view.data(), view.size());
  }
  return tensor;
}

// The elements of a tensor that is no tensor of texts.
absl::StatusOr<Tensor> ReadElements(ElementType type, const Shape& shape,
                                    int64_t count, ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view bytes, reader.Text());
  const absl::StatusOr<int64_t> size = ByteSize(type, count);
  if (!size.ok() || static_cast<uint64_t>(*size) != bytes.size()) {
    return DataLoss("a tensor of ", ElementTypeName(type), shape.ToString(),
                    " has ", bytes.size(), " bytes");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::AllocateUninitialized(type, shape));
  if (!bytes.empty()) {
    std::memcpy(tensor.mutable_raw_data(), bytes.data(), bytes.size());
  }
  return tensor;
}

}  // namespace

void WriteElementType(ElementType type, ByteWriter& writer) {
  writer.Byte(static_cast<uint8_t>(type));
}

void WritePartialShape(const PartialShape& shape, ByteWriter& writer) {
  writer.Byte(shape.rank_known());
  if (!shape.rank_known()) return;
  writer.Number(shape.dims().size());
  for (const Dimension& dim : shape) {
    writer.Signed(dim.min());
    writer.Signed(dim.max());
  }
}

absl::Status WriteTensor(const Tensor& tensor, ByteWriter& writer,
                         ConstantsWriter* constants) {
  WriteElementType(tensor.type(), writer);
  if (!tensor.has_data()) return absl::OkStatus();
  writer.Number(tensor.shape().rank());
  for (int64_t dim : tensor.shape()) writer.Signed(dim);
  if (constants != nullptr && constants->Takes(tensor)) {
    writer.Byte(kElsewhere);
    return constants->Write(tensor, writer);
  }
  writer.Byte(kHere);
  Tensor packed = tensor;
  if (!packed.is_contiguous()) {
    DOVETAIL_ASSIGN_OR_RETURN(packed, tensor.Clone());
  }
  if (tensor.type() != ElementType::kString) {
    writer.Text({static_cast<const char*>(packed.address()),
                 static_cast<size_t>(packed.byte_size())});
    return absl::OkStatus();
  }
  writer.Number(packed.element_count());
  for (const std::string& text : packed.span<std::string>()) {
    writer.Text(text);
  }
  return absl::OkStatus();
}

absl::StatusOr<ElementType> ReadElementType(ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t number, reader.Byte());
  const auto type = static_cast<ElementType>(number);
  if (type == ElementType::kDynamic) return type;
  for (ElementType known : AllElementTypes()) {
    if (known == type) return type;
  }
  return DataLoss("there is no element type ", int{number});
}

absl::StatusOr<PartialShape> ReadPartialShape(ByteReader& reader) {
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t rank_known, reader.Byte());
  if (rank_known == 0) return PartialShape();
  DOVETAIL_ASSIGN_OR_RETURN(const size_t rank, reader.Count(2 * kNumberBytes));
  std::vector<Dimension> dims;
  for (size_t i = 0; i < rank; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t min, reader.Signed());
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t max, reader.Signed());
    if (min < 0 || max < min) {
      return DataLoss("a dimension is from ", min, " to ", max);
    }
    dims.emplace_back(min, max);
  }
  return PartialShape(std::move(dims));
}

absl::StatusOr<Tensor> ReadTensor(ByteReader& reader,
                                  ConstantsReader* constants) {
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type, ReadElementType(reader));
  if (type == ElementType::kDynamic) return Tensor();
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, ReadShape(reader));
  const absl::StatusOr<int64_t> count = shape.ElementCount();
  if (!count.ok()) return DataLoss(count.status().message());
  DOVETAIL_ASSIGN_OR_RETURN(const uint8_t place, reader.Byte());
  if (place == kElsewhere && constants != nullptr &&
      type != ElementType::kString) {
    return constants->Read(type, shape, reader);
  }
  if (place != kHere) return DataLoss("a tensor's elements are nowhere");
  if (type == ElementType::kString) return ReadStrings(shape, *count, reader);
  return ReadElements(type, shape, *count, reader);
}

}  // namespace dovetail
