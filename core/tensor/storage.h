// Memory for the elements of a tensor.
#ifndef DOVETAIL_CORE_TENSOR_STORAGE_H_
#define DOVETAIL_CORE_TENSOR_STORAGE_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// `count` elements that begin at a multiple of Tensor::kAlignment, zeroed on
// demand; strings are always constructed, and destroyed with the storage.
// Never null, even for no elements. kInvalidArgument for a size that
// overflows, kResourceExhausted when there is not that much memory.
absl::StatusOr<std::shared_ptr<void>> AllocateStorage(ElementType type,
                                                      int64_t count,
                                                      bool zeroed);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_STORAGE_H_
