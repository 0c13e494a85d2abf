#include "dovetail/core/tensor/tensor.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/element_access.h"

namespace dovetail {
namespace {

struct Sizes {
  int64_t element_count = 0;
  int64_t byte_size = 0;
};

absl::StatusOr<Sizes> SizesOf(ElementType type, const Shape& shape) {
  Sizes sizes;
  DOVETAIL_ASSIGN_OR_RETURN(sizes.element_count, shape.ElementCount());
  DOVETAIL_ASSIGN_OR_RETURN(sizes.byte_size,
                            ByteSize(type, sizes.element_count));
  return sizes;
}

// Alignment that the C++ type of an element needs.
size_t AlignmentOf(ElementType type) {
  if (type == ElementType::kString) return alignof(std::string);
  return IsSubByte(type) ? 1 : static_cast<size_t>(BitWidth(type)) / 8;
}

bool IsAligned(const void* data, ElementType type) {
  return reinterpret_cast<uintptr_t>(data) % AlignmentOf(type) == 0;
}

// Memory that frees itself, and destroys the strings in it.
std::shared_ptr<void> AllocateBytes(size_t bytes) {
  // An empty tensor has an address too.
  void* data = ::operator new(bytes == 0 ? 1 : bytes,
                              std::align_val_t(Tensor::kAlignment),
                              std::nothrow);
  if (data == nullptr) return nullptr;
  return std::shared_ptr<void>(data, [](void* memory) {
    ::operator delete(memory, std::align_val_t(Tensor::kAlignment));
  });
}

std::shared_ptr<void> AllocateStrings(int64_t count) {
  auto* strings = new (std::nothrow) std::string[count == 0 ? 1 : count];
  if (strings == nullptr) return nullptr;
  return std::shared_ptr<void>(strings, [](void* memory) {
    delete[] static_cast<std::string*>(memory);
  });
}

// Byte offset of element `index` (C order) of a strided tensor.
int64_t OffsetOf(const Shape& shape, const Strides& strides, int64_t index) {
  int64_t offset = 0;
  for (int axis = shape.rank(); axis-- > 0;) {
    offset += index % shape[axis] * strides[axis];
    index /= shape[axis];
  }
  return offset;
}

absl::Status CheckView(ElementType type, const Shape& shape, const void* data,
                       int64_t want, int64_t have) {
  if (have < want) {
    return InvalidArgument(ElementTypeName(type), shape.ToString(), " takes ",
                           want, " bytes, the memory given has ", have);
  }
  if (data == nullptr && want > 0) {
    return InvalidArgument("no memory given for ", ElementTypeName(type),
                           shape.ToString());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Strides> PackedStrides(ElementType type, const Shape& shape) {
  DOVETAIL_RETURN_IF_ERROR(SizesOf(type, shape).status());
  Strides strides;
  if (IsSubByte(type)) return strides;
  strides.resize(shape.rank());
  int64_t distance = BitWidth(type) / 8;
  for (int axis = shape.rank(); axis-- > 0;) {
    strides[axis] = distance;
    // An empty tensor's strides are never used; they must only not overflow.
    distance = CheckedMultiply(distance, shape[axis]).value_or(0);
  }
  return strides;
}

Tensor::Tensor() : shape_({0}) {}

absl::StatusOr<Tensor> Tensor::AllocateUninitialized(ElementType type,
                                                     const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(type, shape));
  Tensor tensor;
  // Half of the address space is more than any machine has, and keeps what the
  // allocator adds from overflowing.
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;
  std::shared_ptr<void> memory;
  if (sizes.byte_size < kMost) {
    memory = type == ElementType::kString ? AllocateStrings(sizes.element_count)
                                          : AllocateBytes(sizes.byte_size);
  }
  if (memory == nullptr) {
    return ResourceExhausted("no memory for ", ElementTypeName(type),
                             shape.ToString(), ", ", sizes.byte_size, " bytes");
  }
  DOVETAIL_ASSIGN_OR_RETURN(tensor.strides_, PackedStrides(type, shape));
  tensor.type_ = type;
  tensor.shape_ = shape;
  tensor.element_count_ = sizes.element_count;
  tensor.byte_size_ = sizes.byte_size;
  tensor.data_ = memory.get();
  tensor.owner_ = std::move(memory);
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Allocate(ElementType type, const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, AllocateUninitialized(type, shape));
  if (type != ElementType::kString) {
    std::memset(tensor.data_, 0, static_cast<size_t>(tensor.byte_size_));
  }
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Borrow(ElementType type, const Shape& shape,
                                      void* data, int64_t byte_size) {
  DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(type, shape));
  DOVETAIL_RETURN_IF_ERROR(
      CheckView(type, shape, data, sizes.byte_size, byte_size));
  if (!IsAligned(data, type)) {
    return InvalidArgument("memory for ", ElementTypeName(type),
                           " has to be aligned to ", AlignmentOf(type),
                           " bytes");
  }
  Tensor tensor;
  DOVETAIL_ASSIGN_OR_RETURN(tensor.strides_, PackedStrides(type, shape));
  tensor.type_ = type;
  tensor.shape_ = shape;
  tensor.element_count_ = sizes.element_count;
  tensor.byte_size_ = sizes.byte_size;
  tensor.data_ = data;
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Borrow(ElementType type, const Shape& shape,
                                      void* data, int64_t byte_size,
                                      Strides strides) {
  if (IsSubByte(type) || type == ElementType::kString) {
    return InvalidArgument("tensors of type ", ElementTypeName(type),
                           " have no strides");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(type, shape));
  if (static_cast<int>(strides.size()) != shape.rank()) {
    return InvalidArgument("shape ", shape.ToString(), " wants ", shape.rank(),
                           " strides, got ", strides.size());
  }
  const int64_t size = BitWidth(type) / 8;
  int64_t span = sizes.element_count == 0 ? 0 : size;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (strides[axis] <= 0 || strides[axis] % size != 0) {
      return InvalidArgument("stride ", strides[axis], " of axis ", axis,
                             " is no positive multiple of ", size, " bytes");
    }
    if (sizes.element_count == 0) continue;
    const auto reach = CheckedMultiply(shape[axis] - 1, strides[axis]);
    const auto sum = reach ? CheckedAdd(span, *reach) : std::nullopt;
    if (!sum) return InvalidArgument("strides reach beyond an int64");
    span = *sum;
  }
  DOVETAIL_RETURN_IF_ERROR(CheckView(type, shape, data, span, byte_size));
  // What Borrow without strides checks holds for the span, not the elements.
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor tensor, Borrow(type, shape, data, std::max(span, sizes.byte_size)));
  tensor.contiguous_ = tensor.strides_ == strides;
  tensor.strides_ = std::move(strides);
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Share(ElementType type, const Shape& shape,
                                     const void* data, int64_t byte_size,
                                     std::shared_ptr<const void> owner) {
  DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(type, shape));
  DOVETAIL_RETURN_IF_ERROR(
      CheckView(type, shape, data, sizes.byte_size, byte_size));
  if (!IsAligned(data, type)) {
    if (type == ElementType::kString) {
      return InvalidArgument("strings cannot be copied from unaligned memory");
    }
    DOVETAIL_ASSIGN_OR_RETURN(Tensor copy, AllocateUninitialized(type, shape));
    std::memcpy(copy.data_, data, static_cast<size_t>(copy.byte_size_));
    return copy;
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor tensor, Borrow(type, shape, const_cast<void*>(data), byte_size));
  tensor.owner_ = std::move(owner);
  tensor.read_only_ = true;
  return tensor;
}

absl::StatusOr<Tensor> Tensor::FromDoubles(ElementType type, const Shape& shape,
                                           absl::Span<const double> values) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Allocate(type, shape));
  if (tensor.element_count_ != static_cast<int64_t>(values.size())) {
    return InvalidArgument("shape ", shape.ToString(), " has ",
                           tensor.element_count_, " elements, got ",
                           values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetElement(static_cast<int64_t>(i), values[i]);
  }
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Roi(const Shape& begin, const Shape& end) const {
  if (IsSubByte(type_) || type_ == ElementType::kString) {
    return Unimplemented("a tensor of type ", ElementTypeName(type_),
                         " has no views of its parts");
  }
  if (begin.rank() != rank() || end.rank() != rank()) {
    return OutOfRange("a box in ", shape_.ToString(), " wants ", rank(),
                      " coordinates, got ", begin.ToString(), " and ",
                      end.ToString());
  }
  Tensor view = *this;
  int64_t offset = 0;
  for (int axis = 0; axis < rank(); ++axis) {
    if (begin[axis] < 0 || begin[axis] > end[axis] ||
        end[axis] > shape_[axis]) {
      return OutOfRange("box ", begin.ToString(), " to ", end.ToString(),
                        " is not inside ", shape_.ToString());
    }
    view.shape_[axis] = end[axis] - begin[axis];
    offset += begin[axis] * strides_[axis];
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Sizes sizes, SizesOf(type_, view.shape_));
  view.element_count_ = sizes.element_count;
  view.byte_size_ = sizes.byte_size;
  // An empty box may begin past the last element.
  if (sizes.element_count > 0) view.data_ = static_cast<char*>(data_) + offset;
  DOVETAIL_ASSIGN_OR_RETURN(const Strides packed,
                            PackedStrides(type_, view.shape_));
  view.contiguous_ = packed == strides_;
  return view;
}

absl::StatusOr<Tensor> Tensor::Reshape(const Shape& shape) const {
  if (!contiguous_) {
    return FailedPrecondition("a strided tensor ", shape_.ToString(),
                              " cannot be seen as ", shape.ToString());
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  if (count != element_count_) {
    return InvalidArgument("shape ", shape.ToString(), " has ", count,
                           " elements, the tensor ", shape_.ToString(), " has ",
                           element_count_);
  }
  Tensor view = *this;
  view.shape_ = shape;
  if (has_data()) {
    DOVETAIL_ASSIGN_OR_RETURN(view.strides_, PackedStrides(type_, shape));
  }
  return view;
}

absl::StatusOr<Tensor> Tensor::Clone() const {
  if (!has_data()) return Tensor();
  DOVETAIL_ASSIGN_OR_RETURN(Tensor copy, AllocateUninitialized(type_, shape_));
  DOVETAIL_RETURN_IF_ERROR(copy.CopyFrom(*this));
  return copy;
}

namespace {

// Copies boxes of strided elements, axis by axis from the outermost.
void CopyStrided(const Tensor& from, const Tensor& to, int axis,
                 const char* source, char* target) {
  const Shape& shape = from.shape();
  const int64_t size = BitWidth(from.type()) / 8;
  if (axis == shape.rank()) {
    std::memcpy(target, source, static_cast<size_t>(size));
    return;
  }
  const int64_t step_from = from.strides()[axis], step_to = to.strides()[axis];
  if (axis == shape.rank() - 1 && step_from == size && step_to == size) {
    std::memcpy(target, source, static_cast<size_t>(shape[axis] * size));
    return;
  }
  for (int64_t i = 0; i < shape[axis]; ++i) {
    CopyStrided(from, to, axis + 1, source + i * step_from,
                target + i * step_to);
  }
}

}  // namespace

absl::Status Tensor::CopyFrom(const Tensor& source) const {
  if (source.type_ != type_ || source.shape_ != shape_) {
    return InvalidArgument("cannot copy ", ElementTypeName(source.type_),
                           source.shape_.ToString(), " to ",
                           ElementTypeName(type_), shape_.ToString());
  }
  if (read_only_) {
    return InvalidArgument("cannot write a read-only tensor ",
                           shape_.ToString());
  }
  if (element_count_ == 0 || data_ == source.data_) return absl::OkStatus();
  if (type_ == ElementType::kString) {
    std::copy_n(source.data<std::string>(), element_count_,
                mutable_data<std::string>());
  } else if (contiguous_ && source.contiguous_) {
    std::memmove(data_, source.data_, static_cast<size_t>(byte_size_));
  } else {
    CopyStrided(source, *this, 0, static_cast<const char*>(source.data_),
                static_cast<char*>(data_));
  }
  return absl::OkStatus();
}

namespace {

// Where element `index` of a tensor is; packed elements are found from the
// first byte by their index.
char* ElementAddress(const Tensor& tensor, int64_t index) {
  auto* data = static_cast<char*>(tensor.mutable_raw_data());
  if (IsSubByte(tensor.type())) return data;
  if (tensor.is_contiguous()) return data + index * (BitWidth(tensor.type()) / 8);
  return data + OffsetOf(tensor.shape(), tensor.strides(), index);
}

}  // namespace

double Tensor::ElementAsDouble(int64_t index) const {
  return LoadAsDouble(type_, ElementAddress(*this, index), index);
}

int64_t Tensor::ElementAsInt64(int64_t index) const {
  return LoadAsInt64(type_, ElementAddress(*this, index), index);
}

void Tensor::SetElement(int64_t index, double value) const {
  StoreDouble(type_, ElementAddress(*this, index), index, value);
}

bool Tensor::Equals(const Tensor& other) const {
  if (type_ != other.type_ || shape_ != other.shape_) return false;
  if (data_ == other.data_ && strides_ == other.strides_) return true;
  if (type_ == ElementType::kString) {
    return span<std::string>() == other.span<std::string>();
  }
  if (contiguous_ && other.contiguous_ && !IsSubByte(type_)) {
    return byte_size_ == 0 ||
           std::memcmp(data_, other.data_, static_cast<size_t>(byte_size_)) == 0;
  }
  // Padding bits of the last byte do not count.
  for (int64_t i = 0; i < element_count_; ++i) {
    if (IsSubByte(type_)) {
      if (ElementAsDouble(i) != other.ElementAsDouble(i)) return false;
    } else if (std::memcmp(ElementAddress(*this, i), ElementAddress(other, i),
                           static_cast<size_t>(BitWidth(type_)) / 8) != 0) {
      return false;
    }
  }
  return true;
}

std::string Tensor::ToString(int max_elements) const {
  std::string text = absl::StrCat(ElementTypeName(type_), shape_.ToString());
  if (!has_data() || max_elements <= 0) return text;
  absl::StrAppend(&text, " {");
  for (int64_t i = 0; i < element_count_; ++i) {
    if (i > 0) absl::StrAppend(&text, ", ");
    if (i == max_elements) {
      absl::StrAppend(&text, "…");
      break;
    }
    if (type_ == ElementType::kString) {
      absl::StrAppend(&text, "\"", data<std::string>()[i], "\"");
    } else if (IsFloat(type_)) {
      absl::StrAppend(&text, ElementAsDouble(i));
    } else {
      absl::StrAppend(&text, ElementAsInt64(i));
    }
  }
  absl::StrAppend(&text, "}");
  return text;
}

std::vector<int64_t> ToInt64Vector(const Tensor& tensor) {
  std::vector<int64_t> values(tensor.element_count());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = tensor.ElementAsInt64(static_cast<int64_t>(i));
  }
  return values;
}

std::vector<double> ToDoubleVector(const Tensor& tensor) {
  std::vector<double> values(tensor.element_count());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = tensor.ElementAsDouble(static_cast<int64_t>(i));
  }
  return values;
}

}  // namespace dovetail
