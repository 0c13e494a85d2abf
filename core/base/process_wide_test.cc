// That a loaded library joins the program's table is tested with the plugins in
// testing/one_process.

#include "dovetail/core/base/process_wide.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

struct Counted {
  static std::atomic<int> made;
  Counted() { ++made; }
};
std::atomic<int> Counted::made = 0;

int& OwnNumber() {
  static thread_local int number = 0;
  return number;
}

TEST(ProcessWideTest, IsMadeOnceForAllThreads) {
  std::vector<std::thread> threads;
  std::vector<Counted*> seen(4);
  for (Counted*& one : seen) {
    threads.emplace_back([&] { one = &ProcessWide<Counted>("test counted"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Counted::made, 1);
  for (const Counted* one : seen) EXPECT_EQ(one, seen[0]);
  EXPECT_NE(&ProcessWide<Counted>("test another"), seen[0]);
  EXPECT_EQ(Counted::made, 2);
}

struct Inner {
  int value = 0;
};
struct Outer {
  int& inner = ProcessWide<Inner>("test inner").value;
};

TEST(ProcessWideTest, MakingOneMayAskForAnother) {
  ProcessWide<Outer>("test outer").inner = 7;
  EXPECT_EQ(ProcessWide<Inner>("test inner").value, 7);
}

TEST(ProcessWideTest, EachThreadHasItsVariable) {
  const auto number = ProcessWideOfThread<int, &OwnNumber>("test number");
  number() = 1;
  std::thread([&] { EXPECT_EQ(number(), 0); }).join();
  EXPECT_EQ(OwnNumber(), 1);
}

TEST(ProcessWideTest, WhoHasObjectsOfItsOwnCannotJoin) {
  ProcessWide<Inner>("test own");
  EXPECT_TRUE(JoinProcess(CurrentProcessTable()).ok());
  const auto other = MakeProcessTable();
  const absl::Status status = JoinProcess(*other);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("'test "), std::string::npos) << status;
}

}  // namespace
}  // namespace dovetail
