#include "dovetail/core/base/scoped_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dovetail {
namespace {

using Lines = std::vector<std::string>;

void Begin(void* lines, const char* domain, size_t domain_size,
           const char* task, size_t task_size) {
  static_cast<Lines*>(lines)->push_back("begin " +
                                        std::string(domain, domain_size) + " " +
                                        std::string(task, task_size));
}

void End(void* lines, const char* domain, size_t domain_size) {
  static_cast<Lines*>(lines)->push_back("end " +
                                        std::string(domain, domain_size));
}

TEST(ScopedTraceTest, TasksLieWithinEachOther) {
  Lines lines;
  const TraceReceiver receiver = {&lines, &Begin, &End};
  SetTraceReceiver(&receiver);
  {
    const ScopedTrace outer("core", "compile");
    const ScopedTrace inner("plugin", absl::string_view("lower it", 5));
  }
  SetTraceReceiver(nullptr);
  EXPECT_THAT(lines,
              testing::ElementsAre("begin core compile", "begin plugin lower",
                                   "end plugin", "end core"));
}

TEST(ScopedTraceTest, ATaskEndsWhereItBegan) {
  Lines first, second;
  const TraceReceiver to_first = {&first, &Begin, &End};
  const TraceReceiver to_second = {&second, &Begin, &End};
  const ScopedTrace unheard("core", "before");
  SetTraceReceiver(&to_first);
  {
    const ScopedTrace task("core", "task");
    SetTraceReceiver(&to_second);
  }
  SetTraceReceiver(nullptr);
  EXPECT_THAT(first, testing::ElementsAre("begin core task", "end core"));
  EXPECT_TRUE(second.empty());
}

}  // namespace
}  // namespace dovetail
