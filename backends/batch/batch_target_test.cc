#include "dovetail/backends/batch/batch_target.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::batch {
namespace {

void ExpectTarget(absl::string_view text, absl::string_view device,
                  int64_t size) {
  const auto target = ReadTarget(text);
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->device, device);
  EXPECT_EQ(target->size, size);
}

TEST(BatchTargetTest, IsADeviceAndASize) {
  ExpectTarget("GPU.1(4)", "GPU.1", 4);
  ExpectTarget("GPU", "GPU", 0);
  ExpectTarget("HETERO:GPU,CPU(8)", "HETERO:GPU,CPU", 8);
  ExpectTarget("MULTI:GPU(2),CPU(1)(4)", "MULTI:GPU(2),CPU(1)", 4);
}

TEST(BatchTargetTest, OthersAreRefused) {
  for (const char* const text : {"", "(4)", "A()", "A(0)", "A(-1)", "A(1e9)",
                                 "A(2000)", "A)", "A,B(2)", "A(4", "A(2)(4)"}) {
    EXPECT_EQ(ReadTarget(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
  EXPECT_THAT(ReadTarget("A(2),B").status().message(),
              testing::HasSubstr("stands last in a list"));
}

}  // namespace
}  // namespace dovetail::batch
