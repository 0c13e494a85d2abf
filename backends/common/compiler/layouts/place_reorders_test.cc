#include "dovetail/backends/common/compiler/layouts/place_reorders.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// A device whose Tanh wants channels last and whose Sigmoid wants them planar;
// all else takes any layout.
class ToyBuilder : public PlanBuilderBase {
 public:
  ToyBuilder(const Model& model, WeightsCache& weights)
      : PlanBuilderBase(model, weights) {}

  absl::Status Emit(const Node& node) {
    BeginSite(node);
    SetDone(node);
    Format format = FormatOf(node.input(0));
    if (node.Is("Tanh")) {
      seen_by_tanh = format.layout;
      format.layout = Layout::kChannelsLast;
    }
    if (node.Is("Sigmoid")) format.layout = Layout::kPlanar;
    std::vector<PlanOperand> operands;
    for (const Value input : node.inputs()) {
      if (IsConstant(input)) continue;
      DOVETAIL_ASSIGN_OR_RETURN(const PlanOperand operand, Read(input, format));
      operands.push_back(operand);
    }
    const PlanOperand result = Write(OutputOf(node), format);
    Add(node, "toy", std::make_unique<PlanStep>(), operands, {result});
    return absl::OkStatus();
  }

  Layout seen_by_tanh = Layout::kPlanar;  // by the last one

 private:
  absl::StatusOr<std::unique_ptr<PlanStep>> MakeReorder(
      const Shape&, const Format&, const Format&) override {
    return std::make_unique<PlanStep>();
  }
};

class PlaceReordersTest : public testing::Test {
 protected:
  // The values that the plan copies, in order.
  std::string CopiesOf(absl::string_view text) {
    absl::StatusOr<Model> model = ParseModelText(text);
    EXPECT_TRUE(model.ok()) << model.status();
    if (!model.ok()) return "";
    emitted_ = 0;
    const auto builder = EmitWithReorders(*model, [&](EmissionRequest request) {
      return Emit(*model, std::move(request));
    });
    EXPECT_TRUE(builder.ok()) << builder.status();
    if (!builder.ok()) return "";
    seen_by_tanh_ = static_cast<ToyBuilder&>(**builder).seen_by_tanh;
    WorkTeam team(1);
    const auto plan = (*builder)->Finish(team);
    EXPECT_TRUE(plan.ok()) << plan.status();
    if (!plan.ok()) return "";
    std::vector<std::string> copies;
    for (const PlannedStep& step : (*plan)->steps) {
      if (step.type == "Reorder") copies.push_back(step.name);
    }
    return absl::StrJoin(copies, " ");
  }

  int emitted_ = 0;  // how often
  Layout seen_by_tanh_ = Layout::kPlanar;
  bool drafts_fail_ = false;  // to be made
  bool plans_follow_ = true;  // as drafts do

 private:
  absl::StatusOr<std::unique_ptr<PlanBuilderBase>> Emit(
      const Model& model, EmissionRequest request) {
    ++emitted_;
    const bool is_draft = request.is_draft();
    if (is_draft && drafts_fail_) return Internal("no draft");
    auto builder = std::make_unique<ToyBuilder>(model, weights_);
    if (is_draft || plans_follow_) builder->Follow(std::move(request));
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              model.TopologicalOrder());
    for (const Node* node : order) {
      if (node->op().Has(kStructural)) continue;
      if (node->Is("Tanh") && builder->RepeatSite(*node)) continue;
      DOVETAIL_RETURN_IF_ERROR(builder->Emit(*node));
    }
    return builder;
  }

  WeightsCache weights_;
};

// Its steps copy the result of `grow`, 16 times as large as what it reads.
constexpr char kGrows[] = R"(
  %x = Parameter-0() {shape: [1,16,8,8], element_type: f32}  # x
  %s = Sigmoid-0(%x) {}  # small
  %t = Tanh-0(%s) {}  # last
  %n = Constant-0() {value: i64[4] {1, 1, 4, 4}}
  %g = Tile-0(%t, %n) {}  # grow
  %r = Relu-0(%g) {}  # relu
  %0 = Result-0(%r) {}
)";

TEST_F(PlaceReordersTest, CopiesBeforeAValueGrows) {
  EXPECT_EQ(CopiesOf(kGrows), "small/reorder last/reorder");
}

TEST_F(PlaceReordersTest, CopiesAfterAValueHasShrunk) {
  EXPECT_EQ(CopiesOf(R"(
    %x = Parameter-0() {shape: [1,16,32,32], element_type: f32}  # x
    %t = Tanh-0(%x) {}  # last
    %r = Relu-0(%t) {}  # relu
    %a = Constant-0() {value: i64[1] {2}}
    %m = ReduceMax-1(%r, %a) {keep_dims: true}  # shrink
    %0 = Result-0(%m) {}
  )"),
            "x/reorder shrink/reorder");
}

TEST_F(PlaceReordersTest, CopiesOnceForSeveralBranches) {
  EXPECT_EQ(CopiesOf(R"(
    %x = Parameter-0() {shape: [1,16,8,8], element_type: f32}  # x
    %t = Tanh-0(%x) {}  # last
    %a = Relu-0(%t) {}  # a
    %b = Abs-0(%t) {}  # b
    %c = Negative-0(%t) {}  # c
    %0 = Result-0(%a) {}
    %1 = Result-0(%b) {}
    %2 = Result-0(%c) {}
  )"),
            "x/reorder last/reorder");
}

// From a step that takes any layout to one that wants the other, and back.
TEST_F(PlaceReordersTest, DoesNotGoBackAndForth) {
  EXPECT_EQ(CopiesOf(R"(
    %x = Parameter-0() {shape: [1,16,8,8], element_type: f32}  # x
    %a = Sigmoid-0(%x) {}  # a
    %t = Tanh-0(%x) {}  # t
    %s = Add-1(%a, %t) {}  # sum
    %r = Tanh-0(%s) {}  # r
    %m = Sigmoid-0(%r) {}  # m
    %0 = Result-0(%m) {}
  )"),
            "x/reorder a/reorder r/reorder");
}

TEST_F(PlaceReordersTest, EmitsOnceWhereNothingIsCopied) {
  EXPECT_EQ(CopiesOf(R"(
    %x = Parameter-0() {shape: [1,16,8,8], element_type: f32}  # x
    %s = Sigmoid-0(%x) {}  # s
    %0 = Result-0(%s) {}
  )"),
            "");
  EXPECT_EQ(emitted_, 1);
}

// A step that always writes the same may still look at what it reads: it sees
// that as it was stored before, whatever others do.
TEST_F(PlaceReordersTest, ShowsFixedStepsWhatTheySaw) {
  CopiesOf(kGrows);
  EXPECT_EQ(seen_by_tanh_, Layout::kPlanar);
  CopiesOf(R"(
    %x = Parameter-0() {shape: [1,16,8,8], element_type: f32}  # x
    %t = Tanh-0(%x) {}  # last
    %u = Tanh-0(%t) {}  # again
    %n = Constant-0() {value: i64[4] {1, 1, 4, 4}}
    %g = Tile-0(%u, %n) {}  # grow
    %0 = Result-0(%g) {}
  )");
  EXPECT_GE(emitted_, 4);
  EXPECT_EQ(seen_by_tanh_, Layout::kChannelsLast);
}

TEST_F(PlaceReordersTest, LeavesAPlanThatCannotBeDrafted) {
  drafts_fail_ = true;
  EXPECT_EQ(CopiesOf(kGrows), "small/reorder relu/reorder");
}

// What a draft has promised, a plan may not keep.
TEST_F(PlaceReordersTest, GoesBackWhereAPlanIsNoBetter) {
  plans_follow_ = false;
  EXPECT_EQ(CopiesOf(kGrows), "small/reorder relu/reorder");
  EXPECT_EQ(emitted_, 5);  // with two drafts and the one that was no better
}

}  // namespace
}  // namespace dovetail
