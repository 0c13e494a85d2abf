#include "dovetail/backends/cpu/tuning/tune_kernels.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Nodes whose kernels take a time each that is known; a plan is as long as its
// nodes take together. Each could have "a", which estimates choose, "b" or "c".
class FakeBench : public TuningBench {
 public:
  explicit FakeBench(const Model& model) : model_(model) {}

  // Else 100.
  void SetTime(const std::string& node, const std::string& kernel,
               int64_t nanoseconds) {
    times_[absl::StrCat(node, " ", kernel)] = nanoseconds;
  }

  absl::StatusOr<std::shared_ptr<const Plan>> Compile(
      const KernelChoices& choices,
      std::vector<OfferedKernels>* offered) override {
    ++compiled;
    auto plan = std::make_shared<Plan>();
    for (const auto& node : model_.nodes()) {
      const auto chosen = choices.Of(*node);
      const std::string kernel(chosen.empty() ? "a" : chosen);
      if (offered != nullptr) offered->push_back({node.get(), kernel, others});
      plan->arena_bytes.push_back(TimeOf(node->name(), kernel));
    }
    return std::shared_ptr<const Plan>(std::move(plan));
  }

  absl::StatusOr<std::map<std::string, int64_t>> StepTimes(
      const std::shared_ptr<const Plan>& plan) override {
    if (fails) return InvalidArgument("an index of 0");
    std::map<std::string, int64_t> times;
    for (size_t i = 0; i < model_.nodes().size(); ++i) {
      times[model_.nodes()[i]->name()] = plan->arena_bytes[i];
    }
    return times;
  }

  absl::StatusOr<bool> IsFaster(
      const std::shared_ptr<const Plan>& plan,
      const std::shared_ptr<const Plan>& other) override {
    if (++compared == lies_at) return true;
    return Total(*plan) < Total(*other);
  }

  static int64_t Total(const Plan& plan) {
    int64_t total = 0;
    for (const int64_t time : plan.arena_bytes) total += time;
    return total;
  }

  std::vector<std::string> others = {"b", "c"};
  bool fails = false;
  int compiled = 0, compared = 0;
  int lies_at = -1;  // a comparison that is wrong

 private:
  int64_t TimeOf(const std::string& node, const std::string& kernel) const {
    const auto it = times_.find(absl::StrCat(node, " ", kernel));
    return it == times_.end() ? 100 : it->second;
  }

  const Model& model_;
  std::map<std::string, int64_t> times_;
};

class TuneKernelsTest : public testing::Test {
 protected:
  TuneKernelsTest() : model_("tuned"), bench_(model_) {
    AddTestParameter(model_, {1, 8}, "first");
    AddTestParameter(model_, {1, 4}, "second");
    AddTestParameter(model_, {1, 8}, "third");
  }

  TunedPlan Tune() {
    auto tuned = TuneKernels(bench_);
    EXPECT_TRUE(tuned.ok()) << tuned.status();
    return *std::move(tuned);
  }

  Model model_;
  FakeBench bench_;
};

using Kernels = std::map<std::string, std::string>;

TEST_F(TuneKernelsTest, NodesGetTheirFastestKernels) {
  bench_.SetTime("first", "c", 90);
  bench_.SetTime("third", "c", 90);
  bench_.SetTime("second", "b", 50);
  bench_.SetTime("second", "c", 40);
  const TunedPlan tuned = Tune();
  EXPECT_EQ(tuned.choices.kernels(),
            (Kernels{{"first", "c"}, {"second", "c"}, {"third", "c"}}));
  EXPECT_EQ(FakeBench::Total(*tuned.plan), 90 + 40 + 90);
}

// Of the same shape: what one gains the other loses.
TEST_F(TuneKernelsTest, NodesOfEqualProblemsGetEqualKernels) {
  bench_.SetTime("first", "b", 50);
  bench_.SetTime("third", "b", 200);
  EXPECT_TRUE(Tune().choices.empty());
}

TEST_F(TuneKernelsTest, NodesThatTakeNoTimeKeepTheirs) {
  bench_.SetTime("second", "a", 1);
  bench_.SetTime("second", "b", 0);
  EXPECT_TRUE(Tune().choices.empty());
  EXPECT_EQ(bench_.compiled, 1 + 2);  // the first plan, and "b" and "c" of 8
}

TEST_F(TuneKernelsTest, WhereThereIsNoChoiceNothingIsTried) {
  bench_.others.clear();
  EXPECT_TRUE(Tune().choices.empty());
  EXPECT_EQ(bench_.compiled, 1);
  EXPECT_EQ(bench_.compared, 0);
}

TEST_F(TuneKernelsTest, AChanceResultIsDroppedInTheEnd) {
  bench_.SetTime("first", "b", 120);
  bench_.lies_at = 1;
  const TunedPlan tuned = Tune();
  EXPECT_TRUE(tuned.choices.empty());
  EXPECT_EQ(FakeBench::Total(*tuned.plan), 300);
}

TEST_F(TuneKernelsTest, APlanThatCannotRunStaysAsItIs) {
  bench_.SetTime("second", "b", 50);
  bench_.fails = true;
  const TunedPlan tuned = Tune();
  EXPECT_TRUE(tuned.choices.empty());
  EXPECT_NE(tuned.plan, nullptr);
}

}  // namespace
}  // namespace dovetail::cpu
