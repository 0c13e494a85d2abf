// ConvertTensor, of tensor.h.
#include <algorithm>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_io.h"

namespace dovetail {
namespace {

// By way of a type that holds all values of the source, a piece at a time that
// stays in the cache.
template <typename Number>
void ConvertThrough(const Tensor& source, Tensor& target) {
  constexpr int64_t kChunk = 512;
  Number numbers[kChunk];
  for (int64_t at = 0; at < source.element_count(); at += kChunk) {
    const int64_t count = std::min(kChunk, source.element_count() - at);
    LoadNumbers(source.type(), source.raw_data(), at,
                absl::MakeSpan(numbers, count));
    StoreNumbers(target.type(), absl::MakeConstSpan(numbers, count),
                 target.mutable_raw_data(), at);
  }
}

void ConvertElements(const Tensor& source, Tensor& target) {
  switch (source.type()) {
    case ElementType::kF64:
      return ConvertThrough<double>(source, target);
    case ElementType::kU64:
      return ConvertThrough<uint64_t>(source, target);
    default:
      return IsFloat(source.type()) ? ConvertThrough<float>(source, target)
                                    : ConvertThrough<int64_t>(source, target);
  }
}

}  // namespace

absl::StatusOr<Tensor> ConvertTensor(const Tensor& source, ElementType type) {
  if (source.type() == type || !source.is_contiguous() ||
      !source.is_on_host()) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor clone, source.Clone());
    if (source.type() == type) return clone;
    return ConvertTensor(clone, type);
  }
  if (!source.has_data() || type == ElementType::kDynamic) {
    return InvalidArgument("no conversion from ",
                           ElementTypeName(source.type()), " to ",
                           ElementTypeName(type));
  }
  if (source.type() == ElementType::kString || type == ElementType::kString) {
    return Unimplemented("no conversion from ", ElementTypeName(source.type()),
                         " to ", ElementTypeName(type));
  }
  // Zeroed, for the bits that pad the last byte of packed elements.
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor target, IsSubByte(type)
                         ? Tensor::Allocate(type, source.shape())
                         : Tensor::AllocateUninitialized(type, source.shape()));
  ConvertElements(source, target);
  return target;
}

}  // namespace dovetail
