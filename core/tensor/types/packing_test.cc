#include "dovetail/core/tensor/types/packing.h"

#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::vector<ElementType> PackedTypes() {
  std::vector<ElementType> types;
  for (ElementType type : AllElementTypes()) {
    if (IsSubByte(type)) types.push_back(type);
  }
  return types;
}

TEST(Packing, CoversEveryTypeThatNeedsIt) {
  EXPECT_EQ(PackedTypes().size(), 9u);
}

// What OpenVINO 2026.4 makes of one bit set: element and its value, for bit 0
// … 7 of each byte.
TEST(Packing, EveryBitIsWhereOpenVinoHasIt) {
  struct Row {
    ElementType type;
    int elements, bytes;
    std::vector<std::pair<int, int>> bits;
  };
  const Row rows[] = {
      {ElementType::kU1, 8, 1,
       {{7, 1}, {6, 1}, {5, 1}, {4, 1}, {3, 1}, {2, 1}, {1, 1}, {0, 1}}},
      {ElementType::kU2, 4, 1,
       {{0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}, {3, 2}}},
      {ElementType::kU4, 2, 1,
       {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 1}, {1, 2}, {1, 4}, {1, 8}}},
      {ElementType::kU3, 8, 3,
       {{3, 1}, {3, 2}, {2, 1}, {2, 2}, {1, 1}, {1, 2}, {0, 1}, {0, 2},
        {7, 1}, {7, 2}, {6, 1}, {6, 2}, {5, 1}, {5, 2}, {4, 1}, {4, 2},
        {7, 4}, {6, 4}, {5, 4}, {4, 4}, {3, 4}, {2, 4}, {1, 4}, {0, 4}}},
      {ElementType::kU6, 4, 3,
       {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {0, 1}, {0, 2}, {0, 4}, {0, 8},
        {3, 1}, {3, 2}, {3, 4}, {3, 8}, {2, 1}, {2, 2}, {2, 4}, {2, 8},
        {3, 16}, {3, 32}, {2, 16}, {2, 32}, {1, 16}, {1, 32}, {0, 16},
        {0, 32}}},
  };
  for (const Row& row : rows) {
    ASSERT_EQ(row.bits.size(), 8u * row.bytes);
    for (size_t bit = 0; bit < row.bits.size(); ++bit) {
      std::vector<uint8_t> data(row.bytes), elements(row.elements);
      data[bit / 8] = static_cast<uint8_t>(1 << bit % 8);
      Unpack(row.type, data.data(), 0, absl::MakeSpan(elements));
      std::vector<uint8_t> expected(row.elements);
      expected[row.bits[bit].first] =
          static_cast<uint8_t>(row.bits[bit].second);
      EXPECT_EQ(elements, expected) << row.type << " bit " << bit;
    }
  }
}

TEST(Packing, WhatIsStoredIsLoaded) {
  constexpr int kCount = 37;
  for (ElementType type : PackedTypes()) {
    const int mask = (1 << BitWidth(type)) - 1;
    std::vector<uint8_t> data(*ByteSize(type, kCount), 0xa5);
    std::vector<uint8_t> bits(kCount), read(kCount);
    for (int i = 0; i < kCount; ++i) {
      bits[i] = static_cast<uint8_t>((i * 7 + 3) & mask);
    }
    // Backwards, so that a store that touches a neighbour is found out.
    for (int i = kCount - 1; i >= 0; --i) {
      StorePacked(type, data.data(), i, bits[i]);
    }
    Unpack(type, data.data(), 0, absl::MakeSpan(read));
    EXPECT_EQ(read, bits) << type;
    for (int i = 0; i < kCount; ++i) {
      EXPECT_EQ(LoadPacked(type, data.data(), i), bits[i]) << type;
    }
  }
}

TEST(Packing, APieceFromTheMiddle) {
  for (ElementType type : PackedTypes()) {
    const uint8_t max = static_cast<uint8_t>((1 << BitWidth(type)) - 1);
    std::vector<uint8_t> data(*ByteSize(type, 24)), read(24), expected(24);
    const std::vector<uint8_t> piece(7, max);
    Pack(type, piece, data.data(), 5);
    std::fill_n(expected.begin() + 5, 7, max);
    Unpack(type, data.data(), 0, absl::MakeSpan(read));
    EXPECT_EQ(read, expected) << type;
  }
}

TEST(Packing, StoresTheLowBitsOnly) {
  for (ElementType type : PackedTypes()) {
    std::vector<uint8_t> data(*ByteSize(type, 8));
    StorePacked(type, data.data(), 3, 0xff);
    EXPECT_EQ(LoadPacked(type, data.data(), 3), (1 << BitWidth(type)) - 1);
    EXPECT_EQ(LoadPacked(type, data.data(), 2), 0);
    EXPECT_EQ(LoadPacked(type, data.data(), 4), 0);
  }
}

TEST(Packing, BitsAsNumbers) {
  EXPECT_EQ(PackedBitsToInt(ElementType::kI4, 7), 7);
  EXPECT_EQ(PackedBitsToInt(ElementType::kI4, 8), -8);
  EXPECT_EQ(PackedBitsToInt(ElementType::kI4, 15), -1);
  EXPECT_EQ(PackedBitsToInt(ElementType::kI2, 1), 1);
  EXPECT_EQ(PackedBitsToInt(ElementType::kI2, 2), -2);
  EXPECT_EQ(PackedBitsToInt(ElementType::kU4, 15), 15);
  EXPECT_EQ(PackedBitsToInt(ElementType::kU6, 63), 63);
}

}  // namespace
}  // namespace dovetail
