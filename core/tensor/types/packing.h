// Elements smaller than a byte, several of them packed into one. The layout is
// OpenVINO's (files since 2024), found bit by bit with its 2026.4 release:
//
//   u4 i4 nf4 f4e2m1   2 in a byte, the first in the low bits
//   u2 i2              4 in a byte, the first in the low bits
//   u1                 8 in a byte, the first in the HIGH bit
//   u3                 8 in 3 bytes, which hold, from their high bits down,
//                      the low 2 bits of elements 0 … 3, those of 4 … 7, and
//                      bit 2 of elements 0 … 7
//   u6                 4 in 3 bytes, which hold, from their high bits down,
//                      the low 4 bits of elements 0 and 1, those of 2 and 3,
//                      and bits 5-4 of elements 0 … 3
//
// OpenVINO has no i2; it goes like u2. Functions take types of IsSubByte only,
// and buffers of whole groups (see ByteSize).
#ifndef DOVETAIL_CORE_TENSOR_TYPES_PACKING_H_
#define DOVETAIL_CORE_TENSOR_TYPES_PACKING_H_

#include <cstdint>

#include "absl/types/span.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// The bits of one element, in the low bits of the answer, sign not extended.
uint8_t LoadPacked(ElementType type, const void* data, int64_t index);
// Stores the low bits of `bits`; the neighbours stay as they are. Not atomic:
// threads must not write elements of one byte, or of one group of three.
void StorePacked(ElementType type, void* data, int64_t index, uint8_t bits);

// Many at once: elements [begin, begin + out.size()) and the reverse.
void Unpack(ElementType type, const void* data, int64_t begin,
            absl::Span<uint8_t> out);
void Pack(ElementType type, absl::Span<const uint8_t> bits, void* data,
          int64_t begin);

// The number that an element's bits stand for: the sign of i2 and i4 extended,
// others as they are. Not for nf4 and f4e2m1.
inline int8_t PackedBitsToInt(ElementType type, uint8_t bits) {
  if (type == ElementType::kI4) return static_cast<int8_t>((bits ^ 8) - 8);
  if (type == ElementType::kI2) return static_cast<int8_t>((bits ^ 2) - 2);
  return static_cast<int8_t>(bits);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TYPES_PACKING_H_
