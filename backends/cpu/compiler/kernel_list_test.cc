#include "dovetail/backends/cpu/compiler/kernel_list.h"

#include <vector>

#include "dovetail/core/graph/model.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// How large it is, and who added steps.
struct Problem {
  int size = 0;
  std::vector<std::string>* emitted = nullptr;
};

KernelOffer OfferOf(const Problem& problem, const char* name) {
  KernelOffer offer;
  offer.emit = [&problem, name](PlanBuilder&) {
    problem.emitted->push_back(name);
    return absl::OkStatus();
  };
  return offer;
}

absl::StatusOr<KernelOffer> TrySmall(const Problem& problem,
                                     const PlanBuilder&) {
  if (problem.size > 1) return Unimplemented("a size of ", problem.size);
  return OfferOf(problem, "small");
}

// Slow from 3 on.
absl::StatusOr<KernelOffer> TryGeneral(const Problem& problem,
                                       const PlanBuilder&) {
  if (problem.size > 4) return Unimplemented("more than 4");
  if (problem.size < 0) return InvalidArgument("a size below 0");
  KernelOffer offer = OfferOf(problem, "general");
  if (problem.size >= 3) offer.slower = "a slow form";
  return offer;
}

absl::StatusOr<KernelOffer> TryThree(const Problem& problem,
                                     const PlanBuilder&) {
  if (problem.size != 3) return Unimplemented("not 3");
  return OfferOf(problem, "three");
}

constexpr KernelCandidate<Problem> kKernels[] = {
    {"small", &TrySmall}, {"general", &TryGeneral}, {"three", &TryThree}};

class KernelListTest : public testing::Test {
 protected:
  KernelListTest()
      : model_("list"), builder_(model_, settings_, weights_, {}) {}

  absl::StatusOr<KernelChoice> Choose(int size,
                                      absl::string_view wanted = {}) {
    problem_.size = size;
    return ChooseKernel<Problem>(kKernels, problem_, builder_, wanted);
  }
  // Who added steps; "": nobody.
  std::string Emitted(int size) {
    const auto choice = Choose(size);
    EXPECT_TRUE(emitted_.empty());  // choosing adds nothing
    if (!choice.ok() || !choice->offer) return "";
    EXPECT_TRUE(choice->offer->emit(builder_).ok());
    const std::string name = emitted_.back();
    emitted_.clear();
    return name;
  }

  Model model_;
  CompileSettings settings_;
  WeightsCache weights_;
  PlanBuilder builder_;
  std::vector<std::string> emitted_;
  Problem problem_ = {0, &emitted_};
};

TEST_F(KernelListTest, TheFirstThatTakesTheProblemComputesIt) {
  EXPECT_EQ(Emitted(1), "small");
  EXPECT_EQ(Emitted(2), "general");
  EXPECT_EQ(Choose(1)->declined, "");
  EXPECT_EQ(Choose(2)->declined, "small: a size of 2");
}

TEST_F(KernelListTest, ASlowFormGivesWayToThoseBehindIt) {
  EXPECT_EQ(Emitted(3), "three");
  EXPECT_EQ(Emitted(4), "general");
  EXPECT_EQ(Choose(3)->declined, "small: a size of 3; general: a slow form");
}

TEST_F(KernelListTest, AllMayDecline) {
  EXPECT_EQ(Emitted(5), "");
  EXPECT_EQ(Choose(5)->declined,
            "small: a size of 5; general: more than 4; three: not 3");
}

// "small" takes what is below 0.
TEST_F(KernelListTest, OtherErrorsAreNoReasons) {
  problem_.size = -1;
  constexpr KernelCandidate<Problem> kGeneral[] = {{"general", &TryGeneral}};
  const auto choice = ChooseKernel<Problem>(kGeneral, problem_, builder_);
  EXPECT_EQ(choice.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(KernelListTest, TheWantedKernelComputesItWhereItTakesTheProblem) {
  EXPECT_EQ(Choose(1, "general")->name, "general");
  EXPECT_EQ(Choose(1, "general")->declined, "small: slower when tried");
  EXPECT_EQ(Choose(3, "general")->name, "general");
  EXPECT_EQ(Choose(1, "three")->name, "small");
  EXPECT_EQ(Choose(3, "small")->name, "three");
  EXPECT_FALSE(Choose(5, "three")->offer.has_value());
}

// As a tuner asks, and as it chooses.
TEST_F(KernelListTest, OffersAreGatheredAndChoicesFollowed) {
  const Node* const node = AddTestParameter(model_, {1}, "node");
  KernelChoices choices;
  std::vector<OfferedKernels> offered;
  settings_.choices = &choices;
  settings_.offered = &offered;
  PlanBuilder builder(model_, settings_, weights_, {});
  const Problem problem = {1, &emitted_};
  EXPECT_TRUE(*EmitFirst<Problem>(kKernels, *node, problem, builder));
  choices.Choose("node", "general");
  EXPECT_TRUE(*EmitFirst<Problem>(kKernels, *node, problem, builder));
  EXPECT_EQ(emitted_, (std::vector<std::string>{"small", "general"}));
  ASSERT_EQ(offered.size(), 2u);
  EXPECT_EQ(offered[0].node, node);
  EXPECT_EQ(offered[0].taken, "small");
  EXPECT_EQ(offered[0].others, std::vector<std::string>{"general"});
  EXPECT_EQ(offered[1].taken, "general");
}

// Nodes that are no problem at all.
TEST_F(KernelListTest, ANodeMayBeNothingForAnyKernel) {
  const Node* const node = AddTestParameter(model_, {1}, "node");
  PlanBuilder builder(model_, settings_, weights_, {});
  const auto emit = [&](const absl::StatusOr<Problem>& problem) {
    return EmitFirst<Problem>(kKernels, *node, problem, builder);
  };
  EXPECT_FALSE(*emit(Unimplemented("a type")));
  EXPECT_FALSE(emit(InvalidArgument("an axis")).ok());
  EXPECT_TRUE(*emit(Problem{3, &emitted_}));
  EXPECT_EQ(emitted_, std::vector<std::string>{"three"});
}

}  // namespace
}  // namespace dovetail::cpu
