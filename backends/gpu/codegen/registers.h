// Elements in registers: vectors of so many lanes, of which one is a scalar.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_REGISTERS_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_REGISTERS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// Whether texts compute with elements of the type: f32, integers of whole bytes
// as they are, booleans as ints that are 0 or 1.
bool IsComputedType(ElementType type);
// Those, and f16 and bf16, which are f32 in registers: what is computed of
// them has to be rounded before it is used.
bool IsRegisterType(ElementType type);

// "float16"; "float" for one lane.
std::string RegisterType(ElementType type, int lanes);
// A signed integer of an element's width in registers: what comparisons of
// vectors give.
std::string MaskType(ElementType type, int lanes);
// An unsigned integer in which the type's arithmetic wraps: of its width, but
// for scalars, which C widens to int, not of less than 32 bits.
std::string WrappingType(ElementType type, int lanes);

// The elements from `pointer` on as a RegisterType.
std::string LoadText(ElementType type, absl::string_view pointer, int lanes);
// The element at `pointer` in all lanes.
std::string LoadOneText(ElementType type, absl::string_view pointer, int lanes);
// A statement that stores a variable from `pointer` on.
std::string StoreText(ElementType type, absl::string_view value,
                      absl::string_view pointer, int lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_REGISTERS_H_
