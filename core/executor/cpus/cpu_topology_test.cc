#include "dovetail/core/executor/cpus/cpu_topology.h"

#include <pthread.h>

#include <future>
#include <string>

#include "dovetail/core/executor/cpus/affinity.h"
#include "dovetail/core/executor/cpus/testing/system_files.h"
#include "dovetail/core/executor/pools/streams_executor.h"
#include "dovetail/core/executor/pools/threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr CoreKind kFast = CoreKind::kPerformance;
constexpr CoreKind kSlow = CoreKind::kEfficient;

TEST(ParseCpuListTest, HasNumbersAndRanges) {
  EXPECT_THAT(ParseCpuList("0-2,8\n"), ElementsAre(0, 1, 2, 8));
  EXPECT_THAT(ParseCpuList("5,3-4"), ElementsAre(3, 4, 5));
  EXPECT_THAT(ParseCpuList(""), IsEmpty());
  EXPECT_THAT(ParseCpuList("-,x,4-3"), IsEmpty());
}

// The folder stands for /sys/devices.
class CpuTopologyTest : public SystemFilesTest {
 protected:
  void WriteOfCpu(int id, const std::string& path, const std::string& text) {
    Write("system/cpu/cpu" + std::to_string(id) + "/" + path, text);
  }
};

TEST_F(CpuTopologyTest, WhatNobodyTellsIsACoreOfItsOwn) {
  EXPECT_THAT(
      ReadCpuTopology(root_, {1, 3}),
      ElementsAre(LogicalCpu{1, 1, 0, kFast}, LogicalCpu{3, 3, 0, kFast}));
}

TEST_F(CpuTopologyTest, SiblingsShareACoreAndNodesHaveLists) {
  for (const int id : {0, 2}) {
    WriteOfCpu(id, "topology/thread_siblings_list", "0,2");
  }
  for (const int id : {1, 3}) {
    WriteOfCpu(id, "topology/thread_siblings_list", "1,3");
  }
  Write("system/node/node0/cpulist", "0,2");
  Write("system/node/node1/cpulist", "1,3");
  Write("system/node/online", "0-1");
  const CpuTopology all = ReadCpuTopology(root_, {0, 1, 2, 3});
  EXPECT_THAT(
      all, ElementsAre(LogicalCpu{0, 0, 0, kFast}, LogicalCpu{1, 1, 1, kFast},
                       LogicalCpu{2, 0, 0, kFast}, LogicalCpu{3, 1, 1, kFast}));
  EXPECT_EQ(CoreCount(all), 2);
  EXPECT_EQ(NodeCount(all), 2);
  // Only those that were asked for, as of a mask.
  EXPECT_EQ(CoreCount(ReadCpuTopology(root_, {0, 2})), 1);
}

TEST_F(CpuTopologyTest, EfficientCoresAreTheAtoms) {
  Write("cpu_core/cpus", "0-3");
  Write("cpu_atom/cpus", "4-5");
  const CpuTopology all = ReadCpuTopology(root_, {3, 4});
  EXPECT_THAT(
      all, ElementsAre(LogicalCpu{3, 3, 0, kFast}, LogicalCpu{4, 4, 0, kSlow}));
}

TEST_F(CpuTopologyTest, EfficientCoresAreThoseOfLittleCapacity) {
  Write("system/cpu/online", "0-2");
  WriteOfCpu(0, "cpu_capacity", "1024");
  WriteOfCpu(1, "cpu_capacity", "990");
  WriteOfCpu(2, "cpu_capacity", "446");
  EXPECT_THAT(
      ReadCpuTopology(root_, {1, 2}),
      ElementsAre(LogicalCpu{1, 1, 0, kFast}, LogicalCpu{2, 2, 0, kSlow}));
  // Also where the fast ones are not the process's.
  EXPECT_THAT(ReadCpuTopology(root_, {2}),
              ElementsAre(LogicalCpu{2, 2, 0, kSlow}));
}

TEST(UsableCpuTopologyTest, HasTheProcessorsOfTheMask) {
  CpuSet ids;
  for (const LogicalCpu& cpu : UsableCpuTopology()) ids.push_back(cpu.id);
  EXPECT_EQ(ids, AffinityOf(pthread_self()));
  EXPECT_FALSE(ids.empty());
}

// ---- Where threads run ----

CpuSet AffinityOfTasks(StreamsExecutor::Stream& stream) {
  std::promise<CpuSet> cpus;
  stream.tasks().Schedule([&] { cpus.set_value(AffinityOf(pthread_self())); });
  return cpus.get_future().get();
}

TEST(PlacementTest, ThreadsStayOnTheirProcessors) {
  const CpuSet usable = AffinityOf(pthread_self());
  const CpuSet first = {usable.front()}, last = {usable.back()};
  const auto streams = Threads::OfProcess()->SharedStreams(2, 1, {first, last});
  EXPECT_TRUE(streams->pinned());
  EXPECT_EQ(AffinityOfTasks(streams->stream(0)), first);
  EXPECT_EQ(AffinityOfTasks(streams->stream(1)), last);
  EXPECT_EQ(AffinityOf(pthread_self()), usable);  // the user's stays
  // Threads that may run anywhere are others.
  const auto anywhere = Threads::OfProcess()->SharedStreams(2, 1);
  EXPECT_NE(anywhere, streams);
  EXPECT_FALSE(anywhere->pinned());
  EXPECT_EQ(AffinityOfTasks(anywhere->stream(0)), usable);
}

TEST(PlacementTest, HelpersStayOnTheirProcessorsAndWorkOn) {
  const CpuSet last = {AffinityOf(pthread_self()).back()};
  StreamsExecutor streams(1, 3, {last, last, last});
  ASSERT_TRUE(streams.pinned());
  std::vector<CpuSet> seen(64);
  const pthread_t caller = pthread_self();
  streams.stream(0).team().Run(64, [&](int i) {
    if (!pthread_equal(pthread_self(), caller)) {
      seen[i] = AffinityOf(pthread_self());
    }
  });
  for (const CpuSet& cpus : seen) {
    EXPECT_TRUE(cpus.empty() || cpus == last);
  }
}

TEST(PlacementTest, AProcessorThatIsNotThereIsSaid) {
  EXPECT_FALSE(StreamsExecutor(1, 1, {{(1 << 20) - 1}}).pinned());
  EXPECT_FALSE(StreamsExecutor(1, 1, {{}}).pinned());
  // Less places than threads.
  EXPECT_FALSE(StreamsExecutor(1, 2, {AffinityOf(pthread_self())}).pinned());
}

}  // namespace
}  // namespace dovetail
