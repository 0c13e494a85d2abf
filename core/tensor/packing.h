// Elements smaller than a byte: where in memory the bits of each one are.
//
//   u1              eight in a byte, the first in the most significant bit
//   u2 i2           four in a byte, the first in the least significant bits
//   u4 i4 nf4 f4    two in a byte, the first in the low nibble
//   u3              eight in three bytes: bytes 0 and 1 hold the low two bits
//                   of elements 0-3 and 4-7, each first element uppermost; byte
//                   2 holds their third bits, element 0 uppermost
//   u6              four in three bytes: bytes 0 and 1 hold the low four bits
//                   of elements 0-1 and 2-3, each first element in the high
//                   nibble; byte 2 holds their upper two bits, element 0
//                   uppermost
#ifndef DOVETAIL_CORE_TENSOR_PACKING_H_
#define DOVETAIL_CORE_TENSOR_PACKING_H_

#include <cstdint>

#include "dovetail/core/tensor/element_type.h"

namespace dovetail {

// The bits of element `index`, in the low bits of the result. `data` is the
// first byte of the tensor. Sub-byte types only.
uint8_t LoadPacked(ElementType type, const void* data, int64_t index);
// Replaces the bits of element `index` and leaves its neighbours alone. Not
// atomic: threads must not write elements of one byte (group of three).
void StorePacked(ElementType type, void* data, int64_t index, uint8_t bits);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_PACKING_H_
