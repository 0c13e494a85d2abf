#include "dovetail/core/tensor/growing_memory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

Tensor Filled(GrowingMemory& memory, int64_t count, float value) {
  Tensor tensor = memory.Allocate(ElementType::kF32, {count}).value();
  for (float& element : tensor.mutable_span<float>()) element = value;
  return tensor;
}

TEST(GrowingMemoryTest, ValuesLieInTurnInTwoBlocks) {
  GrowingMemory memory;
  Tensor last = Filled(memory, 10, 0);
  std::set<const void*> places;
  for (int64_t count = 11; count < 1000; ++count) {
    const Tensor next = Filled(memory, count, static_cast<float>(count));
    EXPECT_NE(next.raw_data(), last.raw_data());
    EXPECT_EQ(next.shape(), Shape({count}));
    places.insert(next.raw_data());
    last = next;
  }
  // By half at a time, from 10 to 1000, and never more than two at once.
  EXPECT_LT(places.size(), 40u);
}

TEST(GrowingMemoryTest, WhatSomebodyHasIsNotWritten) {
  GrowingMemory memory;
  const Tensor kept[] = {Filled(memory, 5, 1), Filled(memory, 6, 2),
                         Filled(memory, 7, 3), Filled(memory, 3, 4)};
  for (int i = 0; i < 4; ++i) {
    for (const float element : kept[i].span<float>()) {
      EXPECT_EQ(element, static_cast<float>(i + 1));
    }
  }
}

// As `last` and one element more.
Tensor Appended(GrowingMemory& memory, const Tensor& last) {
  const int64_t count = last.element_count();
  Tensor next = memory.Append(last, ElementType::kF32, {count + 1}).value();
  if (next.raw_data() != last.raw_data()) {
    std::copy_n(last.data<float>(), count, next.mutable_data<float>());
  }
  next.mutable_data<float>()[count] = static_cast<float>(count);
  return next;
}

TEST(GrowingMemoryTest, WhatIsAppendedToStaysWhereItIs) {
  GrowingMemory memory;
  Tensor last = Filled(memory, 1, 0);
  int moves = 0;
  for (int i = 0; i < 1000; ++i) {
    const Tensor next = Appended(memory, last);
    moves += next.raw_data() != last.raw_data() ? 1 : 0;
    last = next;
  }
  EXPECT_LT(moves, 20);  // when there was no room
  for (int i = 0; i < 1001; ++i) {
    EXPECT_EQ(last.data<float>()[i], static_cast<float>(i));
  }
}

TEST(GrowingMemoryTest, NothingIsAppendedTwiceInOnePlace) {
  GrowingMemory memory;
  Tensor last = Filled(memory, 2, 0);
  for (int i = 0; i < 3; ++i) last = Appended(memory, last);
  const Tensor one = Appended(memory, last), other = Appended(memory, last);
  EXPECT_EQ(one.raw_data(), last.raw_data());
  EXPECT_NE(other.raw_data(), last.raw_data());
  // Not of what lies elsewhere, or is shorter than what was before.
  GrowingMemory another;
  EXPECT_NE(Appended(another, last).raw_data(), last.raw_data());
  EXPECT_NE(memory.Append(one, ElementType::kF32, {1})->raw_data(),
            one.raw_data());
  EXPECT_NE(memory.Append(one, ElementType::kI32, {7})->raw_data(),
            one.raw_data());
}

TEST(GrowingMemoryTest, TensorsOutliveIt) {
  Tensor tensor;
  {
    GrowingMemory memory;
    tensor = Filled(memory, 100, 7);
  }
  EXPECT_EQ(tensor.span<float>()[99], 7);
}

TEST(GrowingMemoryTest, TakesAnyTypeAndShape) {
  GrowingMemory memory;
  EXPECT_EQ(memory.Allocate(ElementType::kF32, {0, 3})->byte_size(), 0);
  EXPECT_EQ(memory.Allocate(ElementType::kU4, {3})->byte_size(), 2);
  EXPECT_EQ(memory.Allocate(ElementType::kString, {2})->data<std::string>()[1],
            "");
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(memory.Allocate(ElementType::kU8, {most}).ok());
  EXPECT_FALSE(memory.Allocate(ElementType::kF32, {most}).ok());
  EXPECT_FALSE(memory.Allocate(ElementType::kF32, {-1}).ok());
  EXPECT_TRUE(memory.Allocate(ElementType::kF32, {8}).ok());
}

}  // namespace
}  // namespace dovetail
