#include "dovetail/backends/common/fusion/elementwise_group.h"

#include <set>
#include <string>

#include "absl/strings/str_join.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// swish = x * sigmoid(x); then + t, and a maximum of another shape.
constexpr char kModel[] = R"(
  %p = Parameter-0() {shape: [2,3], element_type: f32}  # p
  %t = Parameter-0() {shape: [2,3], element_type: f32}  # t
  %x = Softmax-8(%p) {axis: 1}  # x
  %s = Sigmoid-0(%x) {}  # sigmoid
  %m = Multiply-1(%x, %s) {}  # swish
  %a = Add-1(%m, %t) {}  # sum
  %k = Constant-0() {value: f32[2,2,3] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}
  %b = Maximum-1(%a, %k) {}  # larger
  %n = Negative-0(%s) {}  # negative
  %o = Result-0(%b) {}  # out
  %q = Result-0(%n) {}  # end
)";

class ElementwiseGroupTest : public testing::Test {
 protected:
  ElementwiseGroupTest() : model_(*ParseModelText(kModel)) {}

  ElementwiseGroup Grow(const char* anchor, bool is_member) const {
    const auto takes = [this](const Node& node) {
      return others_.count(std::string(node.name())) == 0;
    };
    const auto reads = [this](const Node& node, int i) {
      return not_ready_.count(std::string(node.input(i).node->name())) == 0;
    };
    const auto is_readable = [this](const Node& node) {
      return stored_.count(std::string(node.name())) == 0;
    };
    return GrowGroup(
        *model_.FindNode(anchor), is_member,
        {takes, reads, is_readable, max_nodes_, max_inputs_, is_lazy_});
  }
  static std::string Names(const std::vector<const Node*>& nodes) {
    return absl::StrJoin(nodes, " ", [](std::string* out, const Node* node) {
      out->append(std::string(node->name()));
    });
  }
  std::string Grown(const char* anchor, bool is_member = true) const {
    return Names(Grow(anchor, is_member).nodes);
  }

  Model model_;
  // Nodes that no group takes, that have not been computed, and that others of
  // the group may not read.
  std::set<std::string> others_, not_ready_, stored_;
  size_t max_nodes_ = 32, max_inputs_ = 10;
  bool (*is_lazy_)(const Node&) = nullptr;
};

TEST_F(ElementwiseGroupTest, TakesAllThatFollowsInOneShape) {
  EXPECT_EQ(Grown("x", false), "x sigmoid swish negative sum");
  EXPECT_EQ(Names(Grow("x", false).Outputs()), "negative sum");
}

TEST_F(ElementwiseGroupTest, AsksWhetherANodeIsTaken) {
  others_ = {"sigmoid"};
  not_ready_ = {"sigmoid"};
  EXPECT_EQ(Grown("x", false), "x");
}

TEST_F(ElementwiseGroupTest, ReadsWhatIsReady) {
  not_ready_ = {"t"};
  EXPECT_EQ(Grown("x", false), "x sigmoid swish negative");
}

TEST_F(ElementwiseGroupTest, LeavesReadersOfWhatIsOnlyStored) {
  stored_ = {"swish"};
  EXPECT_EQ(Grown("x", false), "x sigmoid swish negative");
}

TEST_F(ElementwiseGroupTest, HasLimits) {
  max_nodes_ = 3;
  EXPECT_EQ(Grown("x", false), "x sigmoid swish");
  max_nodes_ = 32;
  max_inputs_ = 1;  // x is a member's input where it is none itself
  EXPECT_EQ(Grown("sigmoid"), "sigmoid swish negative");
  max_inputs_ = 2;
  EXPECT_EQ(Grown("sigmoid"), "sigmoid swish negative sum");
}

TEST_F(ElementwiseGroupTest, ComputesWhatIsLazyBeforeItsReaders) {
  not_ready_ = {"sigmoid", "swish"};
  EXPECT_EQ(Grown("t"), "t");
  is_lazy_ = [](const Node& node) { return !node.Is("Softmax"); };
  EXPECT_EQ(Grown("t"), "t sigmoid swish sum negative");
  max_nodes_ = 3;  // all that it takes, or nothing
  EXPECT_EQ(Grown("t"), "t");
  max_nodes_ = 32;
  not_ready_ = {"x", "sigmoid", "swish"};
  EXPECT_EQ(Grown("t"), "t");
}

TEST_F(ElementwiseGroupTest, OneOutputIsWhatOthersDoNotReadWithin) {
  ElementwiseGroup group = Grow("x", false);
  KeepOneOutput(group);
  EXPECT_EQ(Names(group.nodes), "x");  // "negative" is read outside, too
  others_ = {"negative"};
  group = Grow("swish", true);
  KeepOneOutput(group);
  EXPECT_EQ(Names(group.nodes), "swish sum");
}

}  // namespace
}  // namespace dovetail
