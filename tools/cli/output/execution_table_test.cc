#include "dovetail/tools/cli/output/execution_table.h"

#include <fstream>
#include <sstream>

#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/plugin/execution_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::unique_ptr<Model> Described() {
  const Model model = std::move(*ParseModelText(R"(model "two"
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %r = Relu-0(%x) {}  # first
    %t = Tanh-0(%r) {}  # then
    %o = Result-0(%t) {}  # out
  )"));
  return DescribeExecution(model, [](const Node& node) {
    ExecutionInfo info;
    if (node.name() == "first") {
      info = {"fast", "bf16", "plain", "f32", "GPU", "", 1, "best: odd"};
    }
    if (node.name() == "then") info.fused_into = "first";
    return info;
  });
}

TEST(ExecutionTableTest, IsALineANode) {
  EXPECT_EQ(
      ExecutionTable(*Described()),
      "name\texecOrder\tlayerType\tprimitiveType\truntimePrecision\t"
      "outputPrecisions\toutputLayouts\texecutionDevice\texecTimeMcs\t"
      "fusedInto\toriginalLayersNames\tdeclinedKernels\n"
      "x\t0\tParameter\t\t\tf32\t\t\t\t\tx\t\n"
      "first\t1\tRelu\tfast\tbf16\tf32\tplain\tGPU\t\t\tfirst\tbest: odd\n"
      "then\t2\tTanh\t\t\tf32\t\t\t\tfirst\tthen\t\n"
      "out\t3\tResult\t\t\t\t\t\t\t\tout\t\n");
}

TEST(ExecutionTableTest, HasTimes) {
  const auto described = Described();
  AddExecutionTimes({{"first", 12'900}}, *described);
  EXPECT_THAT(ExecutionTable(*described),
              AllOf(HasSubstr("\tGPU\t12\t\tfirst\tbest: odd\n"),
                    HasSubstr("x\t0\tParameter\t\t\tf32\t\t\tnot_executed\t"),
                    HasSubstr("then\t2\tTanh\t\t\tf32\t\t\t\tfirst\t")));
}

TEST(ExecutionTableTest, IsWrittenAsATableOrAnIr) {
  const std::string folder = testing::TempDir();
  const auto read = [](const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  };
  ASSERT_TRUE(WriteExecution(*Described(), folder + "/execution.tsv").ok());
  EXPECT_EQ(read(folder + "/execution.tsv"), ExecutionTable(*Described()));
  ASSERT_TRUE(WriteExecution(*Described(), folder + "/execution.xml").ok());
  EXPECT_THAT(read(folder + "/execution.xml"),
              AllOf(HasSubstr("primitiveType"), HasSubstr("\"fast\"")));
  const absl::Status failed =
      WriteExecution(*Described(), folder + "/no/such/folder/execution.tsv");
  EXPECT_EQ(failed.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(failed.message(), HasSubstr("no/such/folder"));
}

}  // namespace
}  // namespace dovetail::cli
