// Packed elements of any numeric type as numbers of one C++ type, and back:
// what conversion, printing and access by index have in common.
#ifndef DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_IO_H_
#define DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_IO_H_

#include <cstdint>

#include "absl/types/span.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Number is float, double, int64_t or uint64_t; conversions are those of
// element_cast.h. Not for kDynamic and kString, which are left alone.

// Reads elements [begin, begin + out.size()).
template <typename Number>
void LoadNumbers(ElementType type, const void* data, int64_t begin,
                 absl::Span<Number> out);

// Writes elements [begin, begin + numbers.size()); integers narrower than a
// byte take the low bits.
template <typename Number>
void StoreNumbers(ElementType type, absl::Span<const Number> numbers,
                  void* data, int64_t begin);

// Elements [begin, end) of one type as those of another, by way of a type that
// holds all values of the first. Of types narrower than a byte, parts that are
// written at the same time begin at multiples of 8.
void ConvertElements(ElementType from_type, const void* from,
                     ElementType to_type, void* to, int64_t begin, int64_t end);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_IO_H_
