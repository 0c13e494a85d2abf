#include "dovetail/tools/conformance/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "dovetail/tools/conformance/junit.h"

namespace dovetail::conformance {
namespace {

using ::testing::HasSubstr;

Outcome Passed() {
  Outcome outcome;
  outcome.kind = Outcome::Kind::kPassed;
  return outcome;
}

absl::StatusOr<std::vector<Outcome>> RunAll(int count, const CaseFn& run,
                                            RunnerOptions options = {}) {
  return RunCases(count, run, options, [](int, const Outcome&) {});
}

TEST(RunnerTest, RunsEveryCaseOnce) {
  std::multiset<int> finished;
  RunnerOptions options;
  options.workers = 3;
  const auto outcomes = RunCases(
      10,
      [](int i) {
        Outcome outcome = Passed();
        outcome.message = std::to_string(i * i);
        return outcome;
      },
      options, [&](int i, const Outcome&) { finished.insert(i); });
  ASSERT_TRUE(outcomes.ok()) << outcomes.status();
  ASSERT_EQ(outcomes->size(), 10);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ((*outcomes)[i].message, std::to_string(i * i));
    EXPECT_EQ(finished.count(i), 1);
  }
}

TEST(RunnerTest, NoCasesNoWork) {
  EXPECT_TRUE(RunAll(0, [](int) { return Passed(); })->empty());
}

TEST(RunnerTest, ACrashCostsOneCase) {
  const auto outcomes = RunAll(5, [](int i) {
    if (i == 1) std::raise(SIGKILL);
    if (i == 3) _exit(7);
    return Passed();
  });
  ASSERT_TRUE(outcomes.ok()) << outcomes.status();
  for (const int i : {0, 2, 4}) {
    EXPECT_EQ((*outcomes)[i].kind, Outcome::Kind::kPassed) << i;
  }
  EXPECT_EQ((*outcomes)[1].kind, Outcome::Kind::kFailed);
  EXPECT_THAT((*outcomes)[1].message, HasSubstr("crashed: Killed"));
  EXPECT_THAT((*outcomes)[3].message, HasSubstr("ended with exit code 7"));
}

TEST(RunnerTest, AHangCostsOneCase) {
  RunnerOptions options;
  options.limit_seconds = 0.2;
  const auto outcomes = RunAll(
      3,
      [](int i) {
        while (i == 1) pause();
        return Passed();
      },
      options);
  ASSERT_TRUE(outcomes.ok()) << outcomes.status();
  EXPECT_EQ((*outcomes)[0].kind, Outcome::Kind::kPassed);
  EXPECT_THAT((*outcomes)[1].message, HasSubstr("took more than 0.2 s"));
  EXPECT_EQ((*outcomes)[2].kind, Outcome::Kind::kPassed);
}

TEST(JunitTest, EscapesAndCounts) {
  std::vector<Case> cases(3);
  cases[0].name = "a<b";
  cases[1].name = "c";
  cases[2].name = "d";
  std::vector<Outcome> outcomes(3, Passed());
  outcomes[1].kind = Outcome::Kind::kFailed;
  outcomes[1].message = "\"x\" & y\n";
  outcomes[2].kind = Outcome::Kind::kSkipped;
  const std::string xml = FormatJunit("set", cases, outcomes);
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"a&lt;b\""));
  EXPECT_THAT(xml,
              HasSubstr("<failure message=\"&quot;x&quot; &amp; y \"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"\"/>"));
}

}  // namespace
}  // namespace dovetail::conformance
