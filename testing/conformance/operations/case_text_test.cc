#include "dovetail/testing/conformance/operations/case_text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

// A text as CaseText writes it.
constexpr char kText[] = R"(case counts
of ReadValue-6, Assign-6
tolerance 1e-05 relative, 2e-06 absolute
evidence counted by hand
model
  %0 = Parameter-0() {shape: [2], element_type: f32}
  %1 = Constant-0() {value: f32[2] {0, 0}}
  %2 = ReadValue-6(%1) {variable_id: "v", variable_type: f32, variable_shape: [2]}
  %3 = Add-1(%0, %2) {auto_broadcast: numpy}
  %4 = Assign-6(%3) {variable_id: "v"}
  %5 = Result-0(%3) {}
input f32[2] {1, nan}
output f32[2] {1, nan}
again
input f32[2] {2, -inf}
output f32[2] {3, nan}
)";

std::string ErrorOf(const std::string& text) {
  const auto cases = ParseCases(text);
  return cases.ok() ? "no error" : std::string(cases.status().message());
}

std::string With(absl::string_view from, absl::string_view to) {
  return absl::StrReplaceAll(kText, {{from, to}});
}

TEST(CaseTextTest, IsReadAndWritten) {
  const auto cases = ParseCases(absl::StrCat(kText, "\n# more\n\n", kText));
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->size(), 2u);
  const OperationCase& counts = cases->at(1);
  EXPECT_EQ(CaseText(counts), kText);
  EXPECT_EQ(counts.name, "counts");
  EXPECT_THAT(counts.operations,
              testing::ElementsAre("ReadValue-6", "Assign-6"));
  EXPECT_EQ(counts.relative, 1e-5);
  EXPECT_EQ(counts.absolute, 2e-6);
  EXPECT_EQ(counts.evidence, "counted by hand");
  ASSERT_EQ(counts.inferences.size(), 2u);
  EXPECT_EQ(counts.inferences[1].outputs[0].ElementAsDouble(0), 3);
}

TEST(CaseTextTest, LongLinesAreBroken) {
  OperationCase test_case = std::move(ParseCases(kText)->at(0));
  std::vector<std::string> words(40, "one, \"two\", \\three");
  words[7] = std::string(200, 'x');
  const auto tensor = Tensor::FromValues<std::string>({40}, words);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  test_case.inferences[0].inputs[0] = *tensor;
  const std::string text = CaseText(test_case);
  size_t longest = 0, start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    if (text.find("xxx", start) < end) continue;
    longest = std::max(longest, end - start);
  }
  EXPECT_LE(longest, 100u) << text;
  const auto again = ParseCases(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->at(0).inferences[0].inputs[0].Equals(*tensor));
}

TEST(CaseTextTest, ErrorsSayWhere) {
  EXPECT_EQ(ErrorOf("model\n"), "line 1: expected 'case'");
  EXPECT_THAT(ErrorOf(With("of ReadValue-6, Assign-6\n", "")),
              HasSubstr("case counts, line 1: expected 'of' next"));
  EXPECT_THAT(ErrorOf(With("1e-05 relative, 2e-06", "1e-05 relative and")),
              HasSubstr("line 3: '1e-05 relative and absolute' is not"));
  EXPECT_THAT(ErrorOf(With("Add-1", "Ad-1")),
              HasSubstr("there is no operation Ad-1"));
  EXPECT_THAT(ErrorOf(With("input f32[2] {2, -inf}\n", "")),
              HasSubstr("has 0 inputs and 1 outputs, its model 1 and 1"));
  EXPECT_THAT(ErrorOf(With("f32[2] {3, nan}", "f32[2] {3}")),
              HasSubstr("line 16: a tensor of shape [2] has 2 elements"));
  EXPECT_THAT(ErrorOf(absl::StrCat(kText, "outputs f32[2] {3, nan}\n")),
              HasSubstr("line 17: expected 'case'"));
}

}  // namespace
}  // namespace dovetail
