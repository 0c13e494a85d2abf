#include "dovetail/transformations/testing/check_rules.h"

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

int CountOf(absl::string_view type, const Model& model) {
  return static_cast<int>(std::count_if(
      model.nodes().begin(), model.nodes().end(), [&](const auto& node) {
        return node->Is(OpType::Named(type)) || node->op().ToString() == type;
      }));
}

Model ParseLines(const std::string& text) {
  return ParseOrFail(absl::StrReplaceAll(text, {{",\n", ", "}}));
}

void ExpectSamePorts(const Model& a, const Model& b) {
  ASSERT_EQ(a.results().size(), b.results().size());
  for (size_t i = 0; i < a.results().size(); ++i) {
    const int n = static_cast<int>(i);
    const Value left = a.results()[i]->input(0);
    const Value right = b.results()[i]->input(0);
    EXPECT_EQ(a.OutputName(n), b.OutputName(n));
    EXPECT_EQ(left.type(), right.type());
    EXPECT_EQ(Intersect(left.shape(), right.shape()), right.shape())
        << left.shape() << " became " << right.shape();
  }
}

}  // namespace

void RuleCheck::ExpectChanged(const std::string& text) const {
  SCOPED_TRACE(text);
  Model model = ParseLines(text);
  Change(model);
}

void RuleCheck::ExpectReplaced(absl::string_view gone,
                               const std::string& text) const {
  SCOPED_TRACE(text);
  Model model = ParseLines(text);
  ASSERT_GT(CountOf(gone, model), 0);
  Change(model);
  EXPECT_EQ(CountOf(gone, model), 0) << model.ToString();
}

void RuleCheck::Change(Model& model) const {
  const std::unique_ptr<Model> original = model.Clone();
  const auto changed = rules.Apply(model, IsNone);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_TRUE(*changed);
  EXPECT_TRUE(model.Verify().ok()) << model.Verify();
  ExpectSamePorts(*original, model);
  for (int64_t extent : extents) {
    SCOPED_TRACE(testing::Message() << "unknown extents are " << extent);
    ExpectSameResults(*original, model, tolerance, extent);
  }
  // Inference from scratch finds what the rules have found.
  EXPECT_TRUE(model.Infer().ok()) << model.Infer();
}

void RuleCheck::ExpectDeclined(absl::string_view type,
                               const std::string& text) const {
  SCOPED_TRACE(text);
  Model model = ParseLines(text);
  const int count = CountOf(type, model);
  ASSERT_GT(count, 0);
  const auto changed = rules.Apply(model, IsNone);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(CountOf(type, model), count) << model.ToString();
}

}  // namespace dovetail
