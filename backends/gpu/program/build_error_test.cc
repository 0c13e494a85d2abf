#include "dovetail/backends/gpu/program/build_error.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::HasSubstr;
using testing::Not;

JoinedSource::Program Program() {
  return JoinSources({{{"one\ntwo\n", {"helper"}, "add"},
                       {"three\nfour\nfive\nsix\n", {}, "mul"}}},
                     8)
      .programs[0];
}

TEST(BuildErrorTest, ShowsKernelAndLines) {
  const std::string message = BuildErrorMessage(
      Program(), "warning: 9:9: x\n/tmp/a.cl:5:3: error: no 'four' here");
  EXPECT_THAT(message, HasSubstr("kernel 'mul_1'"));
  EXPECT_THAT(message, HasSubstr("> 5 | four\n"));
  EXPECT_THAT(message, HasSubstr("  4 | three\n"));
  EXPECT_THAT(message, HasSubstr("no 'four' here"));
  EXPECT_THAT(message, Not(HasSubstr("add_0")));
}

TEST(BuildErrorTest, TakesPlacesWithoutAFile) {
  EXPECT_THAT(BuildErrorMessage(Program(), "2:1: Error: what"),
              HasSubstr("kernel 'add_0'"));
}

TEST(BuildErrorTest, TakesPlacesInNumberedSources) {
  EXPECT_THAT(BuildErrorMessage(Program(), "54:5:1: error: what"),
              HasSubstr("kernel 'mul_1'"));
}

TEST(BuildErrorTest, NamesAHelper) {
  const std::string message = BuildErrorMessage(Program(), "1:1: error: what");
  EXPECT_THAT(message, HasSubstr("a helper of the kernels add_0, mul_1"));
  EXPECT_THAT(message, HasSubstr("> 1 | helper"));
}

TEST(BuildErrorTest, NamesAllKernelsWhereTheLogHasNoPlace) {
  EXPECT_THAT(BuildErrorMessage(Program(), ""),
              HasSubstr("one of the kernels add_0, mul_1\nthe driver says: "
                        "nothing"));
}

TEST(BuildErrorTest, TakesPlacesBeyondTheText) {
  EXPECT_THAT(BuildErrorMessage(Program(), "999:1: error: what"),
              HasSubstr("error: what"));
  EXPECT_THAT(BuildErrorMessage(Program(), "-5:-1: error: what"),
              HasSubstr("error: what"));
}

}  // namespace
}  // namespace dovetail::gpu
