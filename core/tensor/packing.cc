#include "dovetail/core/tensor/packing.h"

namespace dovetail {
namespace {

// Part of an element: `width` bits of byte `byte` from bit `shift` on.
struct Part {
  int64_t byte;
  int shift, width;
};

// Where an element is. `upper` has width 0 when it is in one piece.
struct Place {
  Part lower, upper;
};

// u3 and u6: groups of `per_group` elements in three bytes.
Place SplitPlace(int64_t index, int per_group, int low_bits, int high_bits) {
  const int64_t group = index / per_group;
  const int within = static_cast<int>(index % per_group);
  const int per_byte = per_group / 2;
  const int position = per_byte - 1 - within % per_byte;
  return {{group * 3 + within / per_byte, position * low_bits, low_bits},
          {group * 3 + 2, (per_group - 1 - within) * high_bits, high_bits}};
}

Place PlaceOf(ElementType type, int64_t index) {
  switch (type) {
    case ElementType::kU1:
      return {{index / 8, 7 - static_cast<int>(index % 8), 1}, {0, 0, 0}};
    case ElementType::kU2:
    case ElementType::kI2:
      return {{index / 4, static_cast<int>(index % 4) * 2, 2}, {0, 0, 0}};
    case ElementType::kU3:
      return SplitPlace(index, 8, 2, 1);
    case ElementType::kU6:
      return SplitPlace(index, 4, 4, 2);
    default:
      return {{index / 2, static_cast<int>(index % 2) * 4, 4}, {0, 0, 0}};
  }
}

uint8_t Mask(int width) { return static_cast<uint8_t>((1u << width) - 1u); }

uint8_t Load(const uint8_t* data, const Part& part) {
  return static_cast<uint8_t>(data[part.byte] >> part.shift & Mask(part.width));
}

void Store(uint8_t* data, const Part& part, uint8_t bits) {
  uint8_t& byte = data[part.byte];
  byte = static_cast<uint8_t>(
      (byte & ~(Mask(part.width) << part.shift)) |
      (bits & Mask(part.width)) << part.shift);
}

}  // namespace

uint8_t LoadPacked(ElementType type, const void* data, int64_t index) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  const Place place = PlaceOf(type, index);
  uint8_t bits = Load(bytes, place.lower);
  if (place.upper.width > 0) {
    bits = static_cast<uint8_t>(bits | Load(bytes, place.upper)
                                           << place.lower.width);
  }
  return bits;
}

void StorePacked(ElementType type, void* data, int64_t index, uint8_t bits) {
  auto* bytes = static_cast<uint8_t*>(data);
  const Place place = PlaceOf(type, index);
  Store(bytes, place.lower, bits);
  if (place.upper.width > 0) {
    Store(bytes, place.upper, static_cast<uint8_t>(bits >> place.lower.width));
  }
}

}  // namespace dovetail
