#include "dovetail/backends/vpu/custom/shave/shared_buffers.h"

#include <cstring>

#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

TEST(SharedBuffersTest, BuffersAreZeroAlignedAndApart) {
  const auto buffers = SharedBuffers::New({0, 1, 4096, 10000}).value();
  ASSERT_EQ(buffers->placements().size(), 4u);
  uint64_t end = 0;
  for (size_t i = 0; i < 4; ++i) {
    const Placement& one = buffers->placements()[i];
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffers->data(i)) % 128, 0u);
    EXPECT_EQ(one.pages, end);
    EXPECT_LT(one.page_bytes - one.head - one.bytes, 128u);
    end = one.pages + one.page_bytes;
    for (uint64_t k = 0; k < one.bytes; ++k) {
      EXPECT_EQ(buffers->data(i)[k], 0);
    }
  }
  EXPECT_EQ(buffers->placements()[3].bytes, 10000u);
  EXPECT_FALSE(buffers->FindOverrun().has_value());
}

TEST(SharedBuffersTest, WhatIsWrittenBesideABufferIsFoundOnce) {
  const auto buffers = SharedBuffers::New({100, 300}).value();
  std::memset(buffers->data(0), 1, 103);
  auto found = buffers->FindOverrun();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->place, FaultPlace::kBehind);
  EXPECT_EQ(found->buffer, 0u);
  EXPECT_EQ(found->distance, 2u);
  EXPECT_FALSE(buffers->FindOverrun().has_value());
  buffers->data(1)[-7] = 1;
  found = buffers->FindOverrun();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->place, FaultPlace::kBefore);
  EXPECT_EQ(found->buffer, 1u);
  EXPECT_EQ(found->distance, 7u);
  EXPECT_EQ(buffers->data(0)[102 - 3], 1);
}

}  // namespace
}  // namespace dovetail::vpu
