// Tensor's copies and comparison, of tensor.h.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/strided_runs.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/packing.h"

namespace dovetail {
namespace {

// Not memcmp of all bytes: the last one may hold bits that are no element's.
bool PackedElementsEqual(const Tensor& a, const Tensor& b) {
  std::vector<uint8_t> bits_a(a.element_count()), bits_b(b.element_count());
  Unpack(a.type(), a.raw_data(), 0, absl::MakeSpan(bits_a));
  Unpack(b.type(), b.raw_data(), 0, absl::MakeSpan(bits_b));
  return bits_a == bits_b;
}

void CopyStrided(const Tensor& source, const Tensor& target) {
  const char* from = static_cast<const char*>(source.raw_data());
  char* to = static_cast<char*>(target.mutable_raw_data());
  ForEachRun(source.shape(), source.strides(), target.strides(),
             BitWidth(source.type()) / 8,
             [from, to](int64_t offset_from, int64_t offset_to, int64_t bytes) {
               std::memmove(to + offset_to, from + offset_from,
                            static_cast<size_t>(bytes));
               return true;
             });
}

bool StridedEqual(const Tensor& a, const Tensor& b) {
  const char* data_a = static_cast<const char*>(a.address());
  const char* data_b = static_cast<const char*>(b.address());
  return ForEachRun(a.shape(), a.strides(), b.strides(), BitWidth(a.type()) / 8,
                    [=](int64_t offset_a, int64_t offset_b, int64_t bytes) {
                      return std::memcmp(data_a + offset_a, data_b + offset_b,
                                         static_cast<size_t>(bytes)) == 0;
                    });
}

}  // namespace

absl::StatusOr<Tensor> Tensor::Clone() const {
  if (!has_data()) return Tensor();
  DOVETAIL_ASSIGN_OR_RETURN(Tensor clone, AllocateUninitialized(type_, shape_));
  DOVETAIL_RETURN_IF_ERROR(clone.CopyFrom(*this));
  return clone;
}

absl::Status Tensor::CopyFrom(const Tensor& source) const {
  if (type_ != source.type_ || shape_ != source.shape_) {
    return InvalidArgument("cannot copy a tensor ",
                           ElementTypeName(source.type_),
                           source.shape_.ToString(), " into one of ",
                           ElementTypeName(type_), shape_.ToString());
  }
  if (read_only_) {
    return FailedPrecondition("cannot copy into a read-only tensor ",
                              ElementTypeName(type_), shape_.ToString());
  }
  if (element_count_ == 0) return absl::OkStatus();
  if (!is_on_host() || !source.is_on_host()) return CopyThroughDevice(source);
  if (type_ == ElementType::kString) {
    if (data_ == source.data_) return absl::OkStatus();
    const auto strings = source.span<std::string>();
    std::copy(strings.begin(), strings.end(), mutable_data<std::string>());
  } else if (contiguous_ && source.contiguous_) {
    std::memmove(data_, source.data_, static_cast<size_t>(byte_size_));
  } else {
    CopyStrided(source, *this);
  }
  return absl::OkStatus();
}

absl::Status Tensor::CopyThroughDevice(const Tensor& source) const {
  if (device_memory_ == source.device_memory_) return absl::OkStatus();
  const Tensor& host = is_on_host() ? *this : source;
  if (!host.is_on_host()) {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor between, source.Clone());
    return device_memory_->CopyFrom(between);
  }
  if (!host.is_contiguous()) {
    return InvalidArgument("cannot copy between a device and a tensor ",
                           ElementTypeName(type_), shape_.ToString(),
                           " of the host that is not contiguous");
  }
  return is_on_host() ? source.device_memory_->CopyTo(*this)
                      : device_memory_->CopyFrom(source);
}

bool Tensor::Equals(const Tensor& other) const {
  if (type_ != other.type_ || shape_ != other.shape_) return false;
  if (device_memory_ != nullptr || other.device_memory_ != nullptr) {
    return device_memory_ == other.device_memory_;
  }
  if (element_count_ == 0) return true;
  if (type_ == ElementType::kString) {
    return span<std::string>() == other.span<std::string>();
  }
  if (IsSubByte(type_)) return PackedElementsEqual(*this, other);
  return StridedEqual(*this, other);
}

}  // namespace dovetail
