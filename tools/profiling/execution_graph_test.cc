#include "dovetail/tools/profiling/execution_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dovetail/core/plugin/execution_info.h"
#include "dovetail/testing/graphs/small_models.h"

namespace dovetail::profiling {
namespace {

// x -> a -> b (computed with a) -> v (a view) -> c -> out; f32[2,3] is 24
// bytes.
std::unique_ptr<Model> Described() {
  const Model model = ModelOf(R"(model "m"
    %x = Parameter-0() {shape: [2,3], element_type: f32} : f32[2,3] "x"  # x
    %a = Relu-0(%x) {} : f32[2,3]  # a
    %b = Sigmoid-0(%a) {} : f32[2,3]  # b
    %v = Abs-0(%b) {} : f32[2,3]  # v
    %c = Tanh-0(%v) {} : f32[2,3]  # c
    %o = Result-0(%c) {}  # out
  )");
  return DescribeExecution(model, [](const Node& node) {
    ExecutionInfo info;
    info.kernel = node.name() == "v" ? "view" : "kernel";
    if (node.name() == "b") info.fused_into = "a";
    return info;
  });
}

TEST(ExecutionGraphTest, NodesComeInOrderWithWhatTheyRead) {
  const auto described = Described();
  ASSERT_NE(described, nullptr);
  const std::vector<ExecutedNode> nodes = ExecutedNodes(*described);
  ASSERT_EQ(nodes.size(), 6u);
  EXPECT_EQ(nodes[2].node->name(), "b");
  EXPECT_EQ(nodes[2].into, "a");
  EXPECT_THAT(nodes[2].inputs, testing::ElementsAre(1));
  EXPECT_EQ(nodes[3].kernel, "view");
}

TEST(ExecutionGraphTest, TensorsLiveFromTheirStepToTheLastReader) {
  const auto described = Described();
  ASSERT_NE(described, nullptr);
  const auto tensors = LiveTensors(ExecutedNodes(*described));
  std::vector<std::string> texts;
  for (const LiveTensor& tensor : tensors) {
    texts.push_back(tensor.name + " " + std::to_string(tensor.bytes) + " " +
                    std::to_string(tensor.first) + "-" +
                    std::to_string(tensor.last));
  }
  // What a writes only its own step reads; v is where b is.
  EXPECT_THAT(texts, testing::ElementsAre("x 24 0-0", "b 24 0-1", "c 24 1-1"));
}

}  // namespace
}  // namespace dovetail::profiling
