#include "dovetail/tools/profiling/trace_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace dovetail::profiling {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A process and a thread with names, and these events of theirs.
std::vector<std::string> ProblemsWith(const std::string& events) {
  return TraceProblems(Json::parse(R"({"displayTimeUnit": "ms", "traceEvents": [
    {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "p"}},
    {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2,
     "args": {"name": "t"}})" + (events.empty() ? "" : "," + events) + "]}"));
}
// An event of that phase and name in the thread.
std::string Event(const std::string& phase, const std::string& name, double ts,
                  const std::string& more = "") {
  return R"({"ph": ")" + phase + R"(", "name": ")" + name +
         R"(", "cat": "c", "pid": 1, "tid": 2, "ts": )" + std::to_string(ts) +
         more + "}";
}
std::string Complete(const std::string& name, double ts, double duration) {
  return Event("X", name, ts, ", \"dur\": " + std::to_string(duration));
}

TEST(TraceCheckTest, TakesWhatTheFormatHas) {
  EXPECT_THAT(ProblemsWith(""), IsEmpty());
  EXPECT_THAT(
      ProblemsWith(Complete("whole", 0, 10) + "," + Complete("part", 0, 4) +
                   "," + Complete("part", 4, 6) + "," +
                   Event("B", "a", 20) + "," + Event("B", "b", 21) + "," +
                   Event("E", "b", 22) + "," + Event("E", "a", 23) + "," +
                   Event("i", "now", 5, R"(, "s": "t")")),
      IsEmpty());
}

TEST(TraceCheckTest, NamesFieldsThatAreMissingWrongOrUnknown) {
  EXPECT_THAT(ProblemsWith(Event("X", "a", 0)),
              ElementsAre(HasSubstr("no \"dur\"")));
  EXPECT_THAT(ProblemsWith(Event("X", "a", 0, R"(, "dur": "1")")),
              ElementsAre(HasSubstr("\"dur\" is of another type")));
  EXPECT_THAT(ProblemsWith(Complete("a", -1, 1)),
              ElementsAre(HasSubstr("\"ts\" is of another type")));
  EXPECT_THAT(ProblemsWith(Event("B", "a", 0, R"(, "dur": 1)")),
              testing::Contains(HasSubstr("\"dur\" is unknown")));
  EXPECT_THAT(ProblemsWith(Event("Q", "a", 0)),
              ElementsAre(HasSubstr("no phase that is known")));
  EXPECT_THAT(ProblemsWith("7"),
              ElementsAre(HasSubstr("no event with a phase")));
}

TEST(TraceCheckTest, EventsOfAThreadNest) {
  EXPECT_THAT(
      ProblemsWith(Complete("first", 0, 5) + "," + Complete("late", 4, 2)),
      ElementsAre(HasSubstr("\"late\" begins in \"first\" and ends after")));
  EXPECT_THAT(ProblemsWith(Event("B", "a", 0)),
              ElementsAre(HasSubstr("\"a\" begins and does not end")));
  EXPECT_THAT(ProblemsWith(Event("E", "a", 0)),
              ElementsAre(HasSubstr("an end without a beginning")));
  EXPECT_THAT(ProblemsWith(Event("B", "a", 0) + "," + Event("E", "b", 1)),
              ElementsAre(HasSubstr("\"a\" ends as \"b\"")));
}

TEST(TraceCheckTest, ProcessesAndThreadsHaveOneName) {
  EXPECT_THAT(
      ProblemsWith(
          R"({"ph": "X", "name": "a", "cat": "c", "pid": 3, "tid": 4,
              "ts": 0, "dur": 1})"),
      ElementsAre("pid 3, tid 4: the process has no name",
                  "pid 3, tid 4: the thread has no name"));
  EXPECT_THAT(
      ProblemsWith(
          R"({"ph": "M", "name": "process_name", "pid": 1,
              "args": {"name": "q"}})"),
      ElementsAre(HasSubstr("process_name is there twice")));
  EXPECT_THAT(ProblemsWith(
                  R"({"ph": "M", "name": "thread_nam", "pid": 1, "tid": 2,
                      "args": {}})"),
              ElementsAre(HasSubstr("metadata \"thread_nam\" is unknown")));
}

TEST(TraceCheckTest, TheWholeIsAnObjectWithEvents) {
  EXPECT_THAT(TraceProblems(Json::array()), testing::SizeIs(1));
  EXPECT_THAT(TraceProblems(Json::parse(R"({"traceEvents": {}})")),
              testing::SizeIs(1));
  EXPECT_THAT(TraceProblems(Json::parse(
                  R"({"traceEvents": [], "displayTimeUnit": "s"})")),
              testing::SizeIs(1));
}

}  // namespace
}  // namespace dovetail::profiling
