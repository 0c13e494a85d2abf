#include "dovetail/core/tensor/types/packing.h"

namespace dovetail {
namespace {

// kBits for each element, one after another from one end of the byte.
template <int kBits, bool kFirstIsHigh>
struct Dense {
  static constexpr int kPerByte = 8 / kBits;
  static constexpr unsigned kMask = (1u << kBits) - 1;

  static int Shift(int64_t index) {
    const int slot = static_cast<int>(index % kPerByte);
    return (kFirstIsHigh ? kPerByte - 1 - slot : slot) * kBits;
  }
  static uint8_t Get(const uint8_t* data, int64_t index) {
    return data[index / kPerByte] >> Shift(index) & kMask;
  }
  static void Set(uint8_t* data, int64_t index, uint8_t bits) {
    uint8_t& byte = data[index / kPerByte];
    const int shift = Shift(index);
    byte = static_cast<uint8_t>((byte & ~(kMask << shift)) |
                                (bits & kMask) << shift);
  }
};

// Two bytes of low parts and one of high parts, as u3 and u6 have it.
template <int kLowBits>
struct Split {
  using Low = Dense<kLowBits, true>;
  using High = Dense<kLowBits / 2, true>;
  static constexpr int kGroup = 2 * Low::kPerByte;

  static uint8_t Get(const uint8_t* data, int64_t index) {
    const uint8_t* group = data + index / kGroup * 3;
    const int64_t slot = index % kGroup;
    return static_cast<uint8_t>(Low::Get(group, slot) |
                                High::Get(group + 2, slot) << kLowBits);
  }
  static void Set(uint8_t* data, int64_t index, uint8_t bits) {
    uint8_t* group = data + index / kGroup * 3;
    const int64_t slot = index % kGroup;
    Low::Set(group, slot, bits);
    High::Set(group + 2, slot, static_cast<uint8_t>(bits >> kLowBits));
  }
};

// Calls `visit` with the layout, outside of any loop over elements.
template <typename Visit>
void VisitLayout(ElementType type, Visit visit) {
  switch (type) {
    case ElementType::kU1:
      return visit(Dense<1, true>());
    case ElementType::kU2:
    case ElementType::kI2:
      return visit(Dense<2, false>());
    case ElementType::kU3:
      return visit(Split<2>());
    case ElementType::kU4:
    case ElementType::kI4:
    case ElementType::kNf4:
    case ElementType::kF4E2M1:
      return visit(Dense<4, false>());
    case ElementType::kU6:
      return visit(Split<4>());
    default:
      return;  // not packed: nothing to do
  }
}

}  // namespace

void Unpack(ElementType type, const void* data, int64_t begin,
            absl::Span<uint8_t> out) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  VisitLayout(type, [&](auto layout) {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = layout.Get(bytes, begin + static_cast<int64_t>(i));
    }
  });
}

void Pack(ElementType type, absl::Span<const uint8_t> bits, void* data,
          int64_t begin) {
  auto* bytes = static_cast<uint8_t*>(data);
  VisitLayout(type, [&](auto layout) {
    for (size_t i = 0; i < bits.size(); ++i) {
      layout.Set(bytes, begin + static_cast<int64_t>(i), bits[i]);
    }
  });
}

uint8_t LoadPacked(ElementType type, const void* data, int64_t index) {
  uint8_t bits = 0;
  Unpack(type, data, index, absl::MakeSpan(&bits, 1));
  return bits;
}

void StorePacked(ElementType type, void* data, int64_t index, uint8_t bits) {
  Pack(type, absl::MakeConstSpan(&bits, 1), data, index);
}

}  // namespace dovetail
