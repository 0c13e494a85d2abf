// ConvertTensor, of tensor.h.
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_io.h"

namespace dovetail {
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
  ConvertElements(source.type(), source.raw_data(), type,
                  target.mutable_raw_data(), 0, source.element_count());
  return target;
}

}  // namespace dovetail
