#include "dovetail/backends/common/host/thread_plan.h"

#include <pthread.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/backends/common/host/host_streams.h"
#include "dovetail/core/executor/cpus/cpu_info.h"
#include "dovetail/core/executor/pools/thread_pool.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/properties/standard_properties.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

Config ConfigOf(const PropertyMap& values) {
  PropertySchema schema;
  for (const PropertySpec& spec :
       {properties::PerformanceHint(), properties::NumStreams(64),
        properties::InferenceNumThreads(), properties::EnableCpuPinning(),
        properties::SchedulingCoreType(), properties::EnableHyperThreading()}) {
    EXPECT_TRUE(schema.Add(spec).ok());
  }
  PropertyLayers layers;
  layers.call = values;
  const auto config = Config::Resolve(schema, layers);
  EXPECT_TRUE(config.ok()) << config.status();
  return *config;
}

// Four fast cores of two threads (0 and 1, 2 and 3, …) and four slow ones.
CpuTopology Hybrid() {
  CpuTopology cpus;
  for (int id = 0; id < 8; ++id) cpus.push_back({id, id / 2 * 2, 0});
  for (int id = 8; id < 12; ++id) {
    cpus.push_back({id, id, 0, CoreKind::kEfficient});
  }
  return cpus;
}

// Two nodes of two cores, as servers count them: first threads of all cores
// before the second ones.
CpuTopology TwoNodes() {
  CpuTopology cpus;
  for (int id = 0; id < 8; ++id) cpus.push_back({id, id % 4, id / 2 % 2});
  return cpus;
}

CpuTopology Alike(int count) {
  CpuTopology cpus;
  for (int id = 0; id < count; ++id) cpus.push_back({id, id, 0});
  return cpus;
}

ThreadPlan Plan(const CpuTopology& cpus, const PropertyMap& values) {
  return PlanThreads(ConfigOf(values), cpus, static_cast<int>(cpus.size()));
}

void ExpectStreams(const ThreadPlan& plan, int streams, int threads) {
  EXPECT_EQ(plan.choice.streams, streams);
  EXPECT_EQ(plan.choice.threads_per_stream, threads);
}

TEST(PlanThreadsTest, ByDefaultThreadsRunWhereTheProcessMay) {
  const ThreadPlan plan = Plan(Hybrid(), {});
  ExpectStreams(plan, 1, 12);
  EXPECT_THAT(plan.placement, IsEmpty());
  EXPECT_EQ(plan.core_type, "ANY_CORE");
  EXPECT_TRUE(plan.hyper_threading);
  EXPECT_FALSE(plan.pinning);
  ExpectStreams(PlanThreads(ConfigOf({}), {}, 3), 1, 3);  // nothing is known
}

TEST(PlanThreadsTest, CoresOfOneKindAreTheOnlyOnes) {
  const ThreadPlan fast =
      Plan(Hybrid(), {{"SCHEDULING_CORE_TYPE", "PCORE_ONLY"}});
  ExpectStreams(fast, 1, 8);
  EXPECT_EQ(fast.core_type, "PCORE_ONLY");
  EXPECT_THAT(fast.placement, Each(CpuSet{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(fast.placement.size(), 8u);
  const ThreadPlan slow =
      Plan(Hybrid(), {{"SCHEDULING_CORE_TYPE", "ECORE_ONLY"}});
  ExpectStreams(slow, 1, 4);
  EXPECT_EQ(slow.core_type, "ECORE_ONLY");
  EXPECT_THAT(slow.placement, Each(CpuSet{8, 9, 10, 11}));
  EXPECT_FALSE(slow.hyper_threading);
}

TEST(PlanThreadsTest, AKindThatIsNotThereIsAny) {
  const ThreadPlan slow =
      Plan(Alike(4), {{"SCHEDULING_CORE_TYPE", "ECORE_ONLY"}});
  ExpectStreams(slow, 1, 4);
  EXPECT_EQ(slow.core_type, "ANY_CORE");
  EXPECT_THAT(slow.placement, IsEmpty());
  const ThreadPlan fast =
      Plan(Alike(4), {{"SCHEDULING_CORE_TYPE", "PCORE_ONLY"}});
  EXPECT_EQ(fast.core_type, "PCORE_ONLY");
  EXPECT_THAT(fast.placement, IsEmpty());
}

TEST(PlanThreadsTest, WithoutHyperThreadingEachCoreHasOneThread) {
  const ThreadPlan plan = Plan(Hybrid(), {{"ENABLE_HYPER_THREADING", "NO"}});
  ExpectStreams(plan, 1, 8);
  EXPECT_FALSE(plan.hyper_threading);
  EXPECT_THAT(plan.placement, Each(CpuSet{0, 2, 4, 6, 8, 9, 10, 11}));
  // Where no core has two there is nothing to leave out.
  const ThreadPlan alike = Plan(Alike(4), {{"ENABLE_HYPER_THREADING", "NO"}});
  ExpectStreams(alike, 1, 4);
  EXPECT_THAT(alike.placement, IsEmpty());
  EXPECT_FALSE(
      Plan(Alike(4), {{"ENABLE_HYPER_THREADING", "YES"}}).hyper_threading);
}

TEST(PlanThreadsTest, PinnedThreadsHaveAProcessorEach) {
  const ThreadPlan plan =
      Plan(Alike(4), {{"ENABLE_CPU_PINNING", "YES"}, {"NUM_STREAMS", "2"}});
  ExpectStreams(plan, 2, 2);
  EXPECT_TRUE(plan.pinning);
  EXPECT_THAT(plan.placement,
              ElementsAre(CpuSet{0}, CpuSet{1}, CpuSet{2}, CpuSet{3}));
}

TEST(PlanThreadsTest, PinnedThreadsTakeWholeCoresFirst) {
  const auto pinned = [](const char* threads) {
    return Plan(Hybrid(), {{"ENABLE_CPU_PINNING", "YES"},
                           {"INFERENCE_NUM_THREADS", threads}});
  };
  EXPECT_THAT(pinned("4").placement,
              ElementsAre(CpuSet{0}, CpuSet{2}, CpuSet{4}, CpuSet{6}));
  EXPECT_FALSE(pinned("8").hyper_threading);
  EXPECT_EQ(pinned("8").placement[4], CpuSet{8});
  EXPECT_TRUE(pinned("9").hyper_threading);
  EXPECT_EQ(pinned("9").placement[8], CpuSet{1});
}

TEST(PlanThreadsTest, NumaIsAStreamOnEachNode) {
  const ThreadPlan plan = Plan(
      TwoNodes(), {{"NUM_STREAMS", "NUMA"}, {"ENABLE_CPU_PINNING", "YES"}});
  ExpectStreams(plan, 2, 4);
  EXPECT_THAT(plan.placement,
              ElementsAre(CpuSet{0}, CpuSet{1}, CpuSet{4}, CpuSet{5}, CpuSet{2},
                          CpuSet{3}, CpuSet{6}, CpuSet{7}));
  ExpectStreams(Plan(Alike(4), {{"NUM_STREAMS", "NUMA"}}), 1, 4);
}

TEST(PlanThreadsTest, AStreamThatIsLargerThanANodeGoesOnInTheNext) {
  const ThreadPlan plan = Plan(TwoNodes(), {{"ENABLE_CPU_PINNING", "YES"},
                                            {"INFERENCE_NUM_THREADS", "3"}});
  EXPECT_THAT(plan.placement, ElementsAre(CpuSet{0}, CpuSet{1}, CpuSet{2}));
}

TEST(PlanThreadsTest, ThreadsThatWouldShareAProcessorAreNotPinned) {
  const PropertyMap many = {{"ENABLE_CPU_PINNING", "YES"},
                            {"INFERENCE_NUM_THREADS", "5"}};
  EXPECT_FALSE(Plan(Alike(4), many).pinning);
  EXPECT_THAT(Plan(Alike(4), many).placement, IsEmpty());
  // Nor are those of a process with a quota, beside which others run.
  const ThreadPlan quota =
      PlanThreads(ConfigOf({{"ENABLE_CPU_PINNING", "YES"}}), Alike(64), 2);
  ExpectStreams(quota, 1, 2);
  EXPECT_FALSE(quota.pinning);
  EXPECT_THAT(quota.placement, IsEmpty());
}

// ---- What a compiled model has, on whatever machine this is ----

CpuSet AffinityOfFirstStream(const HostStreams& streams) {
  // The task's own share of it: it is not done with it when `get` returns.
  const auto cpus = std::make_shared<std::promise<CpuSet>>();
  streams.executor().stream(0).tasks().Schedule(
      [cpus] { cpus->set_value(AffinityOf(pthread_self())); });
  return cpus->get_future().get();
}

TEST(HostStreamsTest, SaysWhatHolds) {
  const StandaloneCall call(ConfigOf({{"ENABLE_CPU_PINNING", "YES"},
                                      {"SCHEDULING_CORE_TYPE", "ECORE_ONLY"},
                                      {"ENABLE_HYPER_THREADING", "NO"},
                                      {"NUM_STREAMS", "NUMA"}}));
  const HostStreams streams(call);
  const CpuTopology all = UsableCpuTopology();
  const int nodes = NodeCount(all);
  bool any_slow = false;
  for (const LogicalCpu& cpu : all) {
    any_slow = any_slow || cpu.kind == CoreKind::kEfficient;
  }
  EXPECT_EQ(*streams.Property("SCHEDULING_CORE_TYPE"),
            any_slow ? "ECORE_ONLY" : "ANY_CORE");
  EXPECT_EQ(*streams.Property("ENABLE_HYPER_THREADING"), "NO");
  EXPECT_EQ(*streams.Property("NUM_STREAMS"),
            std::to_string(streams.executor().stream_count()));
  EXPECT_LE(streams.executor().stream_count(), nodes);
  if (*streams.Property("ENABLE_CPU_PINNING") == "YES") {
    EXPECT_EQ(AffinityOfFirstStream(streams).size(), 1u);
  } else {
    // There is a quota, or there are more threads than processors.
    EXPECT_FALSE(PlanThreads(ConfigOf({{"ENABLE_CPU_PINNING", "YES"}}), all,
                             UsableCpus())
                     .pinning);
  }
  EXPECT_EQ(streams.Property("PERF_COUNT").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(HostStreamsTest, TheNumbersAreThoseOfThreads) {
  const StandaloneCall call(
      ConfigOf({{"NUM_STREAMS", "2"}, {"INFERENCE_NUM_THREADS", "5"}}));
  const HostStreams streams(call);
  EXPECT_EQ(*streams.Property("NUM_STREAMS"), "2");
  EXPECT_EQ(*streams.Property("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), "2");
  EXPECT_EQ(*streams.Property("INFERENCE_NUM_THREADS"), "4");
}

TEST(HostStreamsTest, ThreadsOfAnApplicationArePlacedNowhere) {
  const StandaloneCall standalone(
      ConfigOf({{"ENABLE_CPU_PINNING", "YES"}, {"NUM_STREAMS", "1"}}));
  PluginCall call = standalone;
  call.executor = std::make_shared<ThreadPool>(3, "application");
  const HostStreams streams(call);
  EXPECT_EQ(*streams.Property("INFERENCE_NUM_THREADS"), "3");
  EXPECT_EQ(*streams.Property("ENABLE_CPU_PINNING"), "NO");
  EXPECT_EQ(*streams.Property("SCHEDULING_CORE_TYPE"), "ANY_CORE");
}

}  // namespace
}  // namespace dovetail
