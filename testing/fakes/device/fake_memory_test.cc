#include "dovetail/testing/fakes/device/fake_memory.h"

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

Tensor Numbers(const std::vector<float>& values) {
  return Tensor::FromValues<float>({static_cast<int64_t>(values.size())},
                                   values)
      .value();
}

TEST(FakeMemoryTest, KeepsACopyOfItsOwn) {
  FakeMemory memory(1024);
  const Tensor host = Numbers({1, 2, 3});
  const auto handle = memory.Upload(host);
  ASSERT_TRUE(handle.ok()) << handle.status();
  host.SetElement(0, 7);
  const Tensor back = Numbers({0, 0, 0});
  ASSERT_TRUE(memory.Download(*handle, back).ok());
  EXPECT_TRUE(back.Equals(Numbers({1, 2, 3})));
  back.SetElement(0, 9);
  const Tensor again = Numbers({0, 0, 0});
  ASSERT_TRUE(memory.Download(*handle, again).ok());
  EXPECT_EQ(again.ElementAsDouble(0), 1);
}

TEST(FakeMemoryTest, DescribesBuffersAndForgetsFreedOnes) {
  FakeMemory memory(1024);
  const auto handle = memory.Upload(Numbers({1, 2, 3})).value();
  EXPECT_EQ(memory.Describe(handle)->type, ElementType::kF32);
  EXPECT_EQ(memory.Describe(handle)->shape, Shape{3});
  memory.Free(handle);
  memory.Free(handle);
  EXPECT_EQ(memory.left(), 1024);
  EXPECT_EQ(memory.Describe(handle).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(memory.Download(handle, Numbers({0, 0, 0})).code(),
            absl::StatusCode::kNotFound);
  // Not given again.
  EXPECT_NE(memory.Upload(Numbers({1})).value(), handle);
}

TEST(FakeMemoryTest, SaysHowMuchIsLeft) {
  FakeMemory memory(20);
  ASSERT_TRUE(memory.Upload(Numbers({1, 2, 3})).ok());
  const absl::Status full = memory.Upload(Numbers({1, 2, 3})).status();
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(full.message(),
              HasSubstr("asked for 12 bytes, 8 of 20 are left"));
  EXPECT_TRUE(memory.Upload(Numbers({1, 2})).ok());
  EXPECT_EQ(memory.left(), 0);
}

TEST(FakeMemoryTest, DownloadWantsTheSameShape) {
  FakeMemory memory(64);
  const auto handle = memory.Upload(Numbers({1, 2, 3})).value();
  EXPECT_FALSE(memory.Download(handle, Numbers({0, 0})).ok());
}

TEST(DeviceBufferTest, FreesWhatItOwns) {
  const auto memory = std::make_shared<FakeMemory>(64);
  FakeBuffer first(memory, memory->Upload(Numbers({1})).value());
  EXPECT_EQ(memory->left(), 60);
  FakeBuffer second = std::move(first);
  first = FakeBuffer();
  EXPECT_EQ(memory->left(), 60);
  second = FakeBuffer();
  EXPECT_EQ(memory->left(), 64);
}

}  // namespace
}  // namespace dovetail
