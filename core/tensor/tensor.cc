#include "dovetail/core/tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/storage.h"
#include "dovetail/core/tensor/strided_runs.h"

namespace dovetail {
namespace {

// What views of no elements point to: data is null for no tensor but the
// default one.
alignas(Tensor::kAlignment) char g_no_elements[Tensor::kAlignment];

int64_t ElementBytes(ElementType type) { return BitWidth(type) / 8; }

// What C++ demands of an address that elements of the type are read from.
int64_t AlignmentOf(ElementType type) {
  if (type == ElementType::kString) return alignof(std::string);
  return IsSubByte(type) ? 1 : ElementBytes(type);
}

bool IsAligned(ElementType type, const void* data) {
  return reinterpret_cast<uintptr_t>(data) %
             static_cast<uintptr_t>(AlignmentOf(type)) ==
         0;
}

absl::Status CheckFits(ElementType type, const Shape& shape, const void* data,
                       int64_t needed, int64_t given) {
  if (needed > given) {
    return InvalidArgument("a tensor ", ElementTypeName(type),
                           shape.ToString(), " takes ", needed,
                           " bytes, there are ", given);
  }
  if (needed > 0 && data == nullptr) {
    return InvalidArgument("no data for a tensor ", ElementTypeName(type),
                           shape.ToString());
  }
  return absl::OkStatus();
}

absl::Status CheckAligned(ElementType type, const Shape& shape,
                          const void* data) {
  if (IsAligned(type, data)) return absl::OkStatus();
  return InvalidArgument("data of a tensor ", ElementTypeName(type),
                         shape.ToString(), " is not aligned to ",
                         AlignmentOf(type), " bytes");
}

absl::Status CheckStrides(ElementType type, const Shape& shape,
                          const Strides& strides) {
  if (IsSubByte(type) || type == ElementType::kString) {
    return InvalidArgument("a tensor of ", ElementTypeName(type),
                           " cannot have strides");
  }
  bool good = strides.size() == shape.size();
  for (int64_t stride : strides) {
    good = good && stride > 0 && stride % ElementBytes(type) == 0;
  }
  if (good) return absl::OkStatus();
  return InvalidArgument("strides [", absl::StrJoin(strides, ","),
                         "] do not fit a tensor ", ElementTypeName(type),
                         shape.ToString());
}

// Bytes from the first element to the end of the last one.
absl::StatusOr<int64_t> ExtentInBytes(ElementType type, const Shape& shape,
                                      const Strides& strides, int64_t count) {
  if (count == 0) return 0;
  std::optional<int64_t> extent = ElementBytes(type);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const std::optional<int64_t> step =
        CheckedMultiply(shape[axis] - 1, strides[axis]);
    if (step.has_value()) extent = CheckedAdd(*extent, *step);
    if (!step.has_value() || !extent.has_value()) {
      return InvalidArgument("strides of a tensor ", ElementTypeName(type),
                             shape.ToString(), " overflow");
    }
  }
  return *extent;
}

// Where one extent is 0, the others take no memory that would set them a limit.
// Without any, every product of some of them could overflow.
absl::Status CheckEmpty(const Shape& shape) {
  constexpr int64_t kMaxPositions = int64_t{1} << 48;
  int64_t positions = 1;
  for (int64_t extent : shape) {
    if (extent == 0) continue;
    if (extent > kMaxPositions / positions) {
      return InvalidArgument("the extents of shape ", shape.ToString(),
                             " are too large, even without elements");
    }
    positions *= extent;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Strides> PackedStrides(ElementType type, const Shape& shape) {
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  DOVETAIL_RETURN_IF_ERROR(ByteSize(type, count).status());
  if (IsSubByte(type)) return Strides();
  // Where there is no element any distance will do, and inner extents may
  // well overflow.
  Strides strides(shape.rank(), ElementBytes(type));
  if (count == 0) return strides;
  for (int axis = shape.rank() - 1; axis > 0; --axis) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

Tensor::Tensor() : shape_({0}) {}

absl::StatusOr<Tensor> Tensor::Packed(ElementType type, const Shape& shape) {
  Tensor tensor;
  DOVETAIL_ASSIGN_OR_RETURN(tensor.strides_, PackedStrides(type, shape));
  DOVETAIL_ASSIGN_OR_RETURN(tensor.element_count_, shape.ElementCount());
  if (tensor.element_count_ == 0) {
    DOVETAIL_RETURN_IF_ERROR(CheckEmpty(shape));
  }
  DOVETAIL_ASSIGN_OR_RETURN(tensor.byte_size_,
                            ByteSize(type, tensor.element_count_));
  tensor.type_ = type;
  tensor.shape_ = shape;
  tensor.data_ = g_no_elements;
  return tensor;
}

absl::StatusOr<Tensor> Tensor::AllocatePacked(ElementType type,
                                              const Shape& shape,
                                              bool zeroed) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Packed(type, shape));
  DOVETAIL_ASSIGN_OR_RETURN(
      std::shared_ptr<void> storage,
      AllocateStorage(type, tensor.element_count_,
                      zeroed ? Contents::kZeros : Contents::kWrittenAtOnce));
  tensor.data_ = storage.get();
  tensor.owner_ = std::move(storage);
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Allocate(ElementType type, const Shape& shape) {
  return AllocatePacked(type, shape, /*zeroed=*/true);
}

absl::StatusOr<Tensor> Tensor::AllocateUninitialized(ElementType type,
                                                     const Shape& shape) {
  return AllocatePacked(type, shape, /*zeroed=*/false);
}

absl::StatusOr<Tensor> Tensor::Borrow(ElementType type, const Shape& shape,
                                      void* data, int64_t byte_size) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Packed(type, shape));
  DOVETAIL_RETURN_IF_ERROR(
      CheckFits(type, shape, data, tensor.byte_size_, byte_size));
  DOVETAIL_RETURN_IF_ERROR(CheckAligned(type, shape, data));
  if (data != nullptr) tensor.data_ = data;
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Borrow(ElementType type, const Shape& shape,
                                      void* data, int64_t byte_size,
                                      Strides strides) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Packed(type, shape));
  DOVETAIL_RETURN_IF_ERROR(CheckStrides(type, shape, strides));
  DOVETAIL_ASSIGN_OR_RETURN(
      const int64_t extent,
      ExtentInBytes(type, shape, strides, tensor.element_count_));
  DOVETAIL_RETURN_IF_ERROR(CheckFits(type, shape, data, extent, byte_size));
  DOVETAIL_RETURN_IF_ERROR(CheckAligned(type, shape, data));
  if (data != nullptr) tensor.data_ = data;
  tensor.SetStrides(std::move(strides));
  return tensor;
}

void Tensor::SetStrides(Strides strides) {
  strides_ = std::move(strides);
  contiguous_ = element_count_ == 0 ||
                PackedAxes(shape_, strides_, ElementBytes(type_)) == rank();
}

absl::StatusOr<Tensor> Tensor::Share(ElementType type, const Shape& shape,
                                     const void* data, int64_t byte_size,
                                     std::shared_ptr<const void> owner) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Packed(type, shape));
  DOVETAIL_RETURN_IF_ERROR(
      CheckFits(type, shape, data, tensor.byte_size_, byte_size));
  if (!IsAligned(type, data)) {
    if (type == ElementType::kString) {
      return InvalidArgument("std::string objects at an unaligned address");
    }
    DOVETAIL_ASSIGN_OR_RETURN(tensor, AllocateUninitialized(type, shape));
    std::memcpy(tensor.data_, data, static_cast<size_t>(tensor.byte_size_));
  } else if (data != nullptr) {
    tensor.data_ = const_cast<void*>(data);
    tensor.owner_ = std::move(owner);
  }
  tensor.read_only_ = true;
  return tensor;
}

absl::StatusOr<Tensor> Tensor::ShareWritable(ElementType type,
                                             const Shape& shape, void* data,
                                             int64_t byte_size,
                                             std::shared_ptr<void> owner) {
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                            Borrow(type, shape, data, byte_size));
  tensor.owner_ = std::move(owner);
  return tensor;
}

absl::StatusOr<Tensor> Tensor::ShareUnaligned(
    ElementType type, const Shape& shape, const void* data, int64_t byte_size,
    std::shared_ptr<const void> owner) {
  if (IsAligned(type, data) || type == ElementType::kString) {
    return Share(type, shape, data, byte_size, std::move(owner));
  }
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Packed(type, shape));
  DOVETAIL_RETURN_IF_ERROR(
      CheckFits(type, shape, data, tensor.byte_size_, byte_size));
  tensor.read_only_ = true;
  if (tensor.element_count_ == 0) return tensor;
  tensor.data_ = const_cast<void*>(data);
  tensor.owner_ = std::make_shared<UnalignedStorage>(
      data, static_cast<size_t>(tensor.byte_size_), std::move(owner));
  tensor.aligned_ = false;
  return tensor;
}

const void* Tensor::AlignedCopy() const {
  return static_cast<const UnalignedStorage*>(owner_.get())->AlignedCopy();
}

absl::StatusOr<Tensor> Tensor::Aligned() const {
  if (aligned_) return *this;
  DOVETAIL_ASSIGN_OR_RETURN(Tensor copy, AllocateUninitialized(type_, shape_));
  std::memcpy(copy.data_, data_, static_cast<size_t>(byte_size_));
  copy.read_only_ = true;
  return copy;
}

absl::StatusOr<Tensor> Tensor::OnDevice(ElementType type, const Shape& shape,
                                        std::shared_ptr<DeviceMemory> memory) {
  if (memory == nullptr) return InvalidArgument("there is no device memory");
  if (type == ElementType::kString) {
    return InvalidArgument("strings cannot be in the memory of device ",
                           memory->device());
  }
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Packed(type, shape));
  if (tensor.byte_size_ != memory->byte_size()) {
    return InvalidArgument("a tensor ", ElementTypeName(type),
                           shape.ToString(), " takes ", tensor.byte_size_,
                           " bytes, the memory of device ", memory->device(),
                           " has ", memory->byte_size());
  }
  tensor.data_ = nullptr;
  tensor.device_memory_ = std::move(memory);
  return tensor;
}

absl::StatusOr<Tensor> Tensor::Roi(const Shape& begin, const Shape& end) const {
  if (!has_data()) return FailedPrecondition("a box of no tensor");
  if (!is_on_host()) {
    return Unimplemented("a box of a tensor in the memory of device ",
                         device_memory_->device());
  }
  bool inside = begin.rank() == rank() && end.rank() == rank();
  for (int axis = 0; inside && axis < rank(); ++axis) {
    inside = begin[axis] >= 0 && begin[axis] <= end[axis] &&
             end[axis] <= shape_[axis];
  }
  if (!inside) {
    return OutOfRange("the box from ", begin.ToString(), " to ",
                      end.ToString(), " is not inside ", shape_.ToString());
  }
  if (IsSubByte(type_)) {
    return Unimplemented("a box of a tensor of ", ElementTypeName(type_));
  }
  Tensor view = *this;
  if (!aligned_) {
    view.data_ = const_cast<void*>(AlignedCopy());
    view.aligned_ = true;
  }
  char* data = static_cast<char*>(view.data_);
  for (int axis = 0; axis < rank(); ++axis) {
    view.shape_[axis] = end[axis] - begin[axis];
  }
  view.element_count_ = view.shape_.Count();
  view.byte_size_ = view.element_count_ * ElementBytes(type_);
  view.SetStrides(strides_);
  if (type_ == ElementType::kString && !view.contiguous_) {
    return Unimplemented("a box of strings that do not lie side by side");
  }
  // A box of nothing may begin past the end, where no address is valid.
  if (view.element_count_ == 0) return view;
  for (int axis = 0; axis < rank(); ++axis) {
    data += begin[axis] * strides_[axis];
  }
  view.data_ = data;
  return view;
}

absl::StatusOr<Tensor> Tensor::Permuted(absl::Span<const int> order) const {
  if (!has_data()) return FailedPrecondition("other axes of no tensor");
  if (IsSubByte(type_) || type_ == ElementType::kString || !is_on_host()) {
    return Unimplemented("axes in another order of a tensor of ",
                         ElementTypeName(type_),
                         is_on_host() ? "" : " on a device");
  }
  std::vector<bool> is_there(rank());
  for (const int axis : order) {
    if (axis >= 0 && axis < rank()) is_there[axis] = true;
  }
  if (static_cast<int>(order.size()) != rank() ||
      std::find(is_there.begin(), is_there.end(), false) != is_there.end()) {
    return InvalidArgument("the axes of ", shape_.ToString(), " in the order ",
                           absl::StrJoin(order, ","));
  }
  Tensor view = *this;
  if (!aligned_) {
    view.data_ = const_cast<void*>(AlignedCopy());
    view.aligned_ = true;
  }
  Strides strides = strides_;
  for (int i = 0; i < rank(); ++i) {
    view.shape_[i] = shape_[order[i]];
    strides[i] = strides_[order[i]];
  }
  view.SetStrides(std::move(strides));
  return view;
}

absl::StatusOr<Tensor> Tensor::Reshape(const Shape& shape) const {
  if (!has_data()) return FailedPrecondition("a new shape for no tensor");
  if (!contiguous_) {
    return FailedPrecondition("tensor ", ElementTypeName(type_),
                              shape_.ToString(),
                              " is not contiguous: no other shape fits it");
  }
  DOVETAIL_ASSIGN_OR_RETURN(Tensor view, Packed(type_, shape));
  if (view.element_count_ != element_count_) {
    return InvalidArgument("shape ", shape.ToString(), " has ",
                           view.element_count_, " elements, the tensor ",
                           shape_.ToString(), " has ", element_count_);
  }
  view.data_ = data_;
  view.owner_ = owner_;
  view.device_memory_ = device_memory_;
  view.read_only_ = read_only_;
  view.aligned_ = aligned_;
  return view;
}

}  // namespace dovetail
