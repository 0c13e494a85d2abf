#include "dovetail/transformations/common/attribute_list.h"

#include "dovetail/core/ops/op_table.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::unique_ptr<Attributes> Of(absl::string_view type, int version) {
  return FindOp(type, version)->make_attributes();
}

TEST(AttributeListTest, SetsWhatIsListed) {
  auto attributes = Of("TopK", 11);
  ASSERT_TRUE(SetAttributes({{"axis", -1},
                             {"mode", "MIN"},
                             {"stable", true},
                             {"index_element_type", ElementType::kI64}},
                            *attributes)
                  .ok());
  EXPECT_EQ(ToString(*attributes),
            "{axis: -1, mode: min, sort: none, index_element_type: i64, "
            "stable: true}");
}

TEST(AttributeListTest, NamesWhatIsWrong) {
  auto attributes = Of("TopK", 11);
  EXPECT_EQ(SetAttributes({{"axes", 1}}, *attributes).message(),
            "there is no attribute 'axes' to set");
  EXPECT_EQ(SetAttributes({{"axis", 1.0}}, *attributes).message(),
            "attribute axis has another type");
  EXPECT_EQ(SetAttributes({{"mode", "mean"}}, *attributes).message(),
            "attribute mode cannot be 'mean'");
}

TEST(AttributeListTest, CopiesWhatBothHave) {
  auto from = Of("MaxPool", 1), to = Of("MaxPool", 14);
  ASSERT_TRUE(SetAttributes({{"kernel", std::vector<int64_t>{2, 3}},
                             {"rounding_type", "ceil"}},
                            *from)
                  .ok());
  ASSERT_TRUE(CopyAttributes(*from, *to).ok());
  const AttributeList list = ListAttributes(*to);
  EXPECT_NE(std::find(list.begin(), list.end(),
                      AttributeList::value_type(
                          "kernel", std::vector<int64_t>{2, 3})),
            list.end());
  EXPECT_NE(std::find(list.begin(), list.end(),
                      AttributeList::value_type("rounding_type", "ceil")),
            list.end());
}

}  // namespace
}  // namespace dovetail
