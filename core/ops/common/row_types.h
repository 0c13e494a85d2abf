// Sets of element types that rows of several families name. They are wider than
// what kernels compute in (kFloatTypes, kNumericTypes …): a number is a number
// also in a type that weights are compressed to.
#ifndef DOVETAIL_CORE_OPS_COMMON_ROW_TYPES_H_
#define DOVETAIL_CORE_OPS_COMMON_ROW_TYPES_H_

#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {

inline constexpr ElementTypeSet kAnyFloat =
    kFloatTypes | kFloat8Types |
    ElementTypeSet{ElementType::kF4E2M1, ElementType::kNf4};
inline constexpr ElementTypeSet kAnyNumeric =
    kNumericTypes | kFloat8Types | kSubByteTypes;
inline constexpr ElementTypeSet kAnyInteger = kAnyNumeric - kAnyFloat;
inline constexpr ElementTypeSet kByteType = {ElementType::kU8};  // of images
// Where OpenVINO asks nothing of the type, it counts true as 1.
inline constexpr ElementTypeSet kAnyNumericOrBoolean =
    kAnyNumeric | kBooleanType;

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_COMMON_ROW_TYPES_H_
