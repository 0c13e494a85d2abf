#include "dovetail/core/ops/op_table.h"

#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(OpTableTest, HasEveryVersionOnce) {
  std::set<std::pair<std::string, int>> seen;
  for (const OpInfo* row : AllOps()) {
    EXPECT_TRUE(
        seen.emplace(absl::AsciiStrToLower(row->type), row->version).second)
        << row->ToString() << " is there twice";
  }
  EXPECT_FALSE(seen.empty());
}

TEST(OpTableTest, AnIrLayerMeansOneOperation) {
  std::map<std::pair<std::string, int>, const OpInfo*> seen;
  for (const OpInfo* row : AllOps()) {
    for (int opset = 1; opset <= OpsetRange::kLatest; ++opset) {
      if (!row->opsets.Contains(opset)) continue;
      const auto [it, added] = seen.emplace(
          std::pair(absl::AsciiStrToLower(row->ir_type), opset), row);
      EXPECT_TRUE(added) << row->ir_type << " in opset" << opset << " is both "
                         << row->ToString() << " and "
                         << it->second->ToString();
    }
  }
}

TEST(OpTableTest, RowsAreComplete) {
  for (const OpInfo* row : AllOps()) {
    EXPECT_NE(row->opsets.first(), 0) << row->ToString();
    ASSERT_NE(row->make_attributes, nullptr) << row->ToString();
    EXPECT_NE(row->make_attributes(), nullptr) << row->ToString();
    EXPECT_LE(row->inputs.min, row->inputs.max) << row->ToString();
    EXPECT_LE(row->outputs.min, row->outputs.max) << row->ToString();
  }
}

TEST(OpTableTest, IgnoresTheCase) {
  ASSERT_NE(FindOp("relu", 0), nullptr);
  EXPECT_EQ(FindOp("relu", 0)->type, "Relu");
  EXPECT_EQ(FindOp("RELU", 0), FindOp("Relu", 0));
  EXPECT_EQ(FindOp("Relu", 1), nullptr);
  EXPECT_EQ(FindOp("Rel", 0), nullptr);
}

TEST(OpTableTest, FindsTheLatestVersion) {
  ASSERT_NE(FindOp("Gelu"), nullptr);
  EXPECT_EQ(FindOp("Gelu")->version, 7);
  EXPECT_EQ(FindOp(OpType::Named("NoSuchOperation")), nullptr);
}

TEST(OpTableTest, FindsByOpset) {
  EXPECT_EQ((*FindOpInOpset("Gelu", 2))->version, 0);
  EXPECT_EQ((*FindOpInOpset("gelu", 6))->version, 0);
  EXPECT_EQ((*FindOpInOpset("Gelu", 7))->version, 7);
  EXPECT_EQ((*FindOpInOpset("Const", 1))->type, "Constant");
}

TEST(OpTableTest, SaysWhyALayerIsUnknown) {
  const absl::Status unknown = FindOpInOpset("Frobnicate", 1).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(unknown.message(), "there is no operation 'Frobnicate'");
  const absl::Status dropped = FindOpInOpset("Xor", 2).status();
  EXPECT_EQ(dropped.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(dropped.message(),
            "operation 'Xor' is not in opset2; it is in opset1");
}

TEST(OpTableTest, OpTypeKnowsTheSameNames) {
  std::map<std::string, uint32_t> versions;
  for (const OpInfo* row : AllOps()) {
    versions[std::string(row->type)] |= internal::Version(row->version);
  }
  ASSERT_EQ(versions.size(), std::size(internal::kOpNames));
  auto expected = versions.begin();  // sorted, as kOpNames has to be
  for (const internal::OpName& name : internal::kOpNames) {
    EXPECT_EQ(name.type, expected->first);
    EXPECT_EQ(name.versions, expected->second) << name.type;
    ++expected;
  }
}

TEST(OpTableTest, OpTypeOfAVersionMatchesOnlyThis) {
  constexpr OpType kGelu("Gelu-0");
  EXPECT_EQ(FindOp(kGelu)->version, 0);
  EXPECT_TRUE(kGelu.Matches("Gelu", 0));
  EXPECT_FALSE(kGelu.Matches("Gelu", 7));
  EXPECT_FALSE(kGelu.Matches("Elu", 0));
  EXPECT_TRUE(OpType("Gelu").Matches("Gelu", 7));
  EXPECT_TRUE(OpType("Gelu", 7).Matches("Gelu", 7));
  EXPECT_TRUE(OpType::Named("Mine").Matches("Mine", 3));
}

}  // namespace
}  // namespace dovetail
