#include "dovetail/core/reference/kernel_table.h"

#include "dovetail/core/ops/op_table.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(KernelTableTest, FindsByTypeAndVersion) {
  EXPECT_NE(FindKernel(*FindOp("Add", 1)), nullptr);
  OpInfo other = *FindOp("Add", 1);
  other.version = 99;
  EXPECT_EQ(FindKernel(other), nullptr);
}

TEST(KernelTableTest, EveryOperationHasAKernel) {
  for (const OpInfo* op : AllOps()) {
    EXPECT_NE(FindKernel(*op), nullptr) << op->ToString();
  }
}

TEST(KernelTableTest, AnExtensionsOperationIsNotOurs) {
  OpInfo other = *FindOp("Add", 1);
  other.custom_opset = "mine";
  EXPECT_EQ(FindKernel(other), nullptr);
}

}  // namespace
}  // namespace dovetail
