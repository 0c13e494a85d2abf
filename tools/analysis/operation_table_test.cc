#include "dovetail/tools/analysis/operation_table.h"

#include "dovetail/core/ops/op_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

OperationTable SmallTable() {
  return MakeOperationTable(
      {FindOp("RNNCell", 0), FindOp("Select", 1), FindOp("Softmax", 8)},
      {{"NONE", "", "", ""},
       {"FAST", "Softmax-8", "RNNCell-0 Select-1", "RNNCell-0"},
       {"SLOW", "Select-1", "Softmax-8", ""}});
}

TEST(OperationTableTest, SaysInWordsWhatARowHolds) {
  EXPECT_EQ(OpsetsText(*FindOp("RNNCell", 0)), "1, 3-17");
  EXPECT_EQ(OpsetsText(*FindOp("Xor", 0)), "1");
  EXPECT_EQ(ElementTypesText(*FindOp("Add", 1)), "numbers");
  EXPECT_EQ(ElementTypesText(*FindOp("BitwiseNot", 13)), "integers, boolean");
  EXPECT_EQ(ElementTypesText(*FindOp("FakeConvert", 13)), "bf16, f16, f32");
  EXPECT_EQ(ElementTypesText(*FindOp("Select", 1)), "any (input 1)");
  EXPECT_EQ(ElementTypesText(*FindOp("Constant", 0)), "any (output)");
}

TEST(OperationTableTest, LeavesOutDevicesThatComputeNothing) {
  const OperationTable table = SmallTable();
  EXPECT_EQ(table.devices, (std::vector<std::string>{"FAST", "SLOW"}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].how, (std::vector<std::string>{"decomposed", ""}));
  EXPECT_EQ(table.rows[1].how,
            (std::vector<std::string>{"reference", "native"}));
  EXPECT_EQ(table.rows[2].how,
            (std::vector<std::string>{"native", "reference"}));
}

TEST(OperationTableTest, Markdown) {
  const std::string text = MarkdownOf(SmallTable(), "the command");
  EXPECT_THAT(text, HasSubstr("Written by `the command`."));
  EXPECT_THAT(text, HasSubstr("3 operations in 3 versions"));
  EXPECT_THAT(
      text,
      HasSubstr("| Operation | In an IR | Opsets | Element types | FAST |"));
  EXPECT_THAT(
      text, HasSubstr("\n| Select-1 |  | 1-17 | any (input 1) | "
                      "reference | native |\n| Softmax-8 | SoftMax | 8-17 |"));
}

TEST(OperationTableTest, Text) {
  EXPECT_THAT(TextOf(SmallTable()),
              HasSubstr("\nSelect-1   1-17     any (input 1)"));
}

}  // namespace
}  // namespace dovetail
