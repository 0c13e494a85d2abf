// The types of indices that steps read.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_COMMON_INDEX_TYPE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_COMMON_INDEX_TYPE_H_

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// Whether host::Indices can be of it.
inline bool IsIndex(ElementType type) {
  return type == ElementType::kI64 || type == ElementType::kI32;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_COMMON_INDEX_TYPE_H_
