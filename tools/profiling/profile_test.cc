#include "dovetail/tools/profiling/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dovetail::profiling {
namespace {

using testing::ElementsAre;
using testing::Pair;

ProfilingRecord Layer(const char* name, const char* type, int64_t ns) {
  ProfilingRecord record;
  record.name = name;
  record.type = type;
  record.kernel = "reference_f32";
  record.status = ProfilingRecord::Status::kExecuted;
  record.duration_ns = ns;
  return record;
}

TEST(ProfileTest, AddsUpByLayerAndByType) {
  Profile profile;
  for (int i = 0; i < 2; ++i) {
    profile.Add({0,
                 50,
                 {Layer("a", "Relu", 10), Layer("b", "Add", 5),
                  Layer("c", "Relu", 5)}});
  }
  ASSERT_EQ(profile.layers().size(), 3u);
  EXPECT_EQ(profile.layers()[0].ns, 20);
  EXPECT_THAT(profile.ByType(), ElementsAre(Pair("Relu", 30), Pair("Add", 10)));
  EXPECT_EQ(profile.layers_ns(), 40);
  EXPECT_EQ(profile.wall_ns(), 100);
  EXPECT_DOUBLE_EQ(profile.Milliseconds(30), 15e-6);
  EXPECT_DOUBLE_EQ(profile.Percent(10), 25);
}

TEST(ProfileTest, LeavesOutWhatDidNotRunAndTellsStagesFromLayers) {
  Profile profile;
  ProfilingRecord gone = Layer("gone", "Relu", 7);
  gone.status = ProfilingRecord::Status::kOptimizedOut;
  ProfilingRecord stage = Layer("infer", "Stage", 30);
  stage.kind = ProfilingRecord::Kind::kStage;
  profile.Add({0, 50, {gone, stage}});
  EXPECT_TRUE(profile.layers().empty());
  ASSERT_EQ(profile.stages().size(), 1u);
  EXPECT_EQ(profile.stages()[0].ns, 30);
  EXPECT_EQ(profile.layers_ns(), 0);
}

TEST(ProfileTest, KeepsTheLastInferences) {
  Profile profile;
  for (int64_t i = 0; i < 8; ++i) profile.Add({i, 1, {}});
  ASSERT_EQ(profile.kept().size(), Profile::kKept);
  EXPECT_EQ(profile.kept().front().start_ns, 3);
  EXPECT_EQ(profile.inferences(), 8);
}

TEST(ProfileTest, StagesHaveTheCountersOf2021) {
  EXPECT_EQ(CounterOfStage("input copy"), "2. input transfer to a device");
  EXPECT_EQ(CounterOfStage("output copy"), "4. output transfer from a device");
  EXPECT_EQ(CounterOfStage("made up"), "");
}

}  // namespace
}  // namespace dovetail::profiling
