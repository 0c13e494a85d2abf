#include "dovetail/backends/vpu/custom/shave/child_process.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using End = ChildOutcome::End;

TEST(ChildProcessTest, AnswersComeBack) {
  const std::string long_text(300000, 'x');
  int here = 1;
  const ChildOutcome outcome = RunInChild([&] {
    here = 2;
    return long_text;
  });
  EXPECT_EQ(outcome.end, End::kDone);
  EXPECT_EQ(outcome.text, long_text);
  EXPECT_EQ(here, 1);
  EXPECT_EQ(RunInChild([] { return std::string(); }).end, End::kDone);
}

TEST(ChildProcessTest, CrashesAreTheChilds) {
  const ChildOutcome outcome =
      RunInChild([]() -> std::string { std::abort(); });
  EXPECT_EQ(outcome.end, End::kCrashed);
  EXPECT_THAT(outcome.text, testing::HasSubstr("signal 6"));
}

}  // namespace
}  // namespace dovetail::vpu
