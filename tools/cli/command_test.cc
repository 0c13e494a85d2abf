#include "dovetail/tools/cli/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "dovetail/core/base/status.h"

namespace dovetail::cli {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<int> Greet(const Arguments& arguments, std::ostream& out) {
  if (arguments.positional().empty()) {
    return InvalidArgument("no name:\nsay whom to greet");
  }
  out << "hello " << arguments.positional()[0] << "\n";
  return arguments.Has("fail") ? kNo : kDone;
}

struct Result {
  int code;
  std::string out, err;
};

Result RunWords(const std::vector<std::string>& words) {
  const std::vector<Command> commands = {
      {"greet", "NAME", "says hello", {{"fail", "", "says no"}}, &Greet}};
  std::ostringstream out, err;
  const int code = RunProgram(commands, words, out, err);
  return {code, out.str(), err.str()};
}

TEST(CommandTest, RunsTheCommandAndGivesItsCode) {
  const Result done = RunWords({"greet", "Ann"});
  EXPECT_EQ(done.code, kDone);
  EXPECT_EQ(done.out, "hello Ann\n");
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(RunWords({"greet", "Ann", "--fail"}).code, kNo);
}

TEST(CommandTest, AnErrorIsOneLineOnStderr) {
  const Result result = RunWords({"greet"});
  EXPECT_EQ(result.code, kWrong);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "dovetail: no name:; say whom to greet\n");
}

TEST(CommandTest, WrongUseNamesTheNearest) {
  EXPECT_THAT(RunWords({"great"}).err,
              HasSubstr("unknown command 'great'; did you mean 'greet'?"));
  EXPECT_EQ(RunWords({"great"}).code, kWrong);
  EXPECT_THAT(RunWords({"greet", "--fall"}).err,
              HasSubstr("did you mean --fail?"));
  EXPECT_EQ(RunWords({"greet", "--fall"}).code, kWrong);
}

TEST(CommandTest, HelpListsCommandsAndFlags) {
  EXPECT_THAT(RunWords({"--help"}).out, HasSubstr("greet  says hello"));
  EXPECT_EQ(RunWords({"--help"}).code, kDone);
  EXPECT_THAT(RunWords({"greet", "--help"}).out,
              HasSubstr("usage: dovetail greet NAME [FLAGS]"));
  EXPECT_THAT(RunWords({"greet", "--help"}).out, HasSubstr("--fail  says no"));
}

TEST(CommandTest, NoCommandIsWrongUse) {
  EXPECT_EQ(RunWords({}).code, kWrong);
  EXPECT_THAT(RunWords({}).err, HasSubstr("usage: dovetail COMMAND"));
}

}  // namespace
}  // namespace dovetail::cli
