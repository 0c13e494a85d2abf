#include "dovetail/tools/conformance/cases/device_exceptions.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::conformance {
namespace {

TEST(DeviceExceptionsTest, ReadsEveryEntry) {
  const auto read = ParseDeviceExceptions(R"(
# A comment.
computes f16: has no other type
stores f16: between layers
tolerance f16 0.003: six roundings
unsupported unique_*: no memory that grows

expected failure in f16 exp_1_*large: f16 ends at 65504
)");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_FALSE(read->computes_nothing);
  EXPECT_EQ(read->computes, "f16");
  EXPECT_EQ(read->stores, "f16");
  EXPECT_EQ(read->tolerance.at("f16"), 0.003);
  const auto* entry = FindEntry(read->unsupported, "unique_10", "f32");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->reason, "no memory that grows");
  const auto& failures = read->expected_failures;
  EXPECT_NE(FindEntry(failures, "exp_1_of_large", "f16"), nullptr);
  EXPECT_EQ(FindEntry(failures, "exp_1_of_large", "bf16"), nullptr);
  EXPECT_EQ(FindEntry(failures, "exp_1_of_larger", "f16"), nullptr);
  EXPECT_EQ(FindEntry(failures, "exp_2_large", "f16"), nullptr);
}

TEST(DeviceExceptionsTest, NamesTheLineThatIsNone) {
  for (const char* line :
       {"expected failure x", "expected failure in f16: why", "computs f16: x",
        "tolerance f16 much: why", "unsupported two words: why"}) {
    const auto status =
        ParseDeviceExceptions(std::string("# first\n") + line).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << line;
    EXPECT_THAT(status.message(), testing::HasSubstr("line 2")) << line;
  }
}

TEST(DeviceExceptionsTest, ComputesNothing) {
  EXPECT_TRUE(
      ParseDeviceExceptions("computes nothing: zeros")->computes_nothing);
  EXPECT_FALSE(ParseDeviceExceptions("")->computes_nothing);
}

}  // namespace
}  // namespace dovetail::conformance
