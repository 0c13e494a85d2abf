#include "dovetail/tools/conformance/cases/case_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace dovetail::conformance {
namespace {

using ::testing::HasSubstr;

// A folder with that index.
std::string MakeSet(const std::string& index) {
  const std::string folder = ::testing::TempDir() + "/case_set";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/index.tsv") << index;
  return folder;
}

TEST(CaseIndexTest, QuantizedNetworksMayBeFartherOffWhereSumsDiffer) {
  const std::string folder = MakeSet(
      "case\tmodel\tkind\tov_int8_diff\ttolerance\n"
      "m\tx/m.xml\tint8\t0.02/1;0.1/1;shape;0.3/1;0.1/1\t0.01;0.5;boxes;0;0\n");
  auto cases = ReadCaseIndex(folder, "models", "*");
  ASSERT_TRUE(cases.ok()) << cases.status();
  EXPECT_EQ((*cases)[0].tolerance(0).absolute, 0.01);
  AllowRoundings(*cases);
  EXPECT_NEAR((*cases)[0].tolerance(0).absolute, 0.08, 1e-3);
  EXPECT_EQ((*cases)[0].tolerance(1).absolute, 0.5);
  EXPECT_EQ((*cases)[0].tolerance(2).kind, Tolerance::Kind::kBoxes);
  // No farther than what was seen, nor than a quarter of the greatest number.
  EXPECT_NEAR((*cases)[0].tolerance(3).absolute, 0.3, 2e-3);
  EXPECT_NEAR((*cases)[0].tolerance(4).absolute, 0.25, 2e-3);
}

TEST(CaseIndexTest, ReadsRelativeTolerances) {
  const std::string folder =
      MakeSet("case\tops\trtol\tatol\tsource\tnote\n"
              "abs_1\tAbs-0\t1e-3\t1e-4\tnumpy\n\n"
              "add_1\tAdd-1\t0\t0\tonnx\tas published\n");
  const auto cases = ReadCaseIndex(folder, "", "*");
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->size(), 2);
  const Case& first = (*cases)[0];
  EXPECT_EQ(first.name, "abs_1");
  EXPECT_EQ(first.operations, "Abs-0");
  EXPECT_EQ(first.evidence, "numpy");
  EXPECT_EQ((*cases)[1].evidence, "onnx: as published");
  EXPECT_EQ(first.model_path, folder + "/abs_1/model.xml");
  EXPECT_EQ(first.tolerance(3).relative, 1e-3);
  EXPECT_EQ(first.tolerance(0).absolute, 1e-4);
}

TEST(CaseIndexTest, ReadsAToleranceForEachOutput) {
  const std::string folder = MakeSet(
      "case\tmodel\tkind\ttolerance\nm\tx/m.xml\tint8\tboxes;labels;0.5\n");
  const auto cases = ReadCaseIndex(folder, "/models", "*");
  ASSERT_TRUE(cases.ok()) << cases.status();
  const Case& only = cases->at(0);
  EXPECT_EQ(only.model_path, "/models/x/m.xml");
  EXPECT_TRUE(only.quantized);
  EXPECT_EQ(only.tolerance(0).kind, Tolerance::Kind::kBoxes);
  EXPECT_EQ(only.tolerance(1).kind, Tolerance::Kind::kLabels);
  EXPECT_EQ(only.tolerance(2).absolute, 0.5);
  EXPECT_EQ(only.tolerance(9).absolute, 0.5);
  EXPECT_THAT(std::string(ReadCaseIndex(folder, "", "*").status().message()),
              HasSubstr("give --models=ROOT"));
}

TEST(CaseIndexTest, ErrorsNameFileAndLine) {
  const std::string folder =
      MakeSet("case\trtol\tatol\na\t0\t0\nb\tmuch\t0\n");
  EXPECT_EQ(ReadCaseIndex(folder, "", "*").status().message(),
            folder + "/index.tsv:3: 'much' is no tolerance");
  // A case is a folder of the set, not any folder.
  EXPECT_FALSE(
      ReadCaseIndex(MakeSet("case\trtol\tatol\n../x\t0\t0\n"), "", "*").ok());
  EXPECT_THAT(
      std::string(ReadCaseIndex(folder + "/none", "", "*").status().message()),
      HasSubstr("no set of cases"));
}

TEST(CaseIndexTest, FiltersByGlob) {
  const std::string folder =
      MakeSet("case\trtol\tatol\nabs_1\t0\t0\nadd_1\t0\t0\nabs_2\t0\t0\n");
  EXPECT_EQ(ReadCaseIndex(folder, "", "abs_*")->size(), 2);
  EXPECT_EQ(ReadCaseIndex(folder, "", "none")->size(), 0);
}

TEST(CaseIndexTest, MatchesGlobs) {
  EXPECT_TRUE(MatchesGlob("*", ""));
  EXPECT_TRUE(MatchesGlob("a*c*e", "abcde"));
  EXPECT_TRUE(MatchesGlob("*ab", "aab"));
  EXPECT_TRUE(MatchesGlob("a?c", "abc"));
  EXPECT_FALSE(MatchesGlob("a?c", "ac"));
  EXPECT_FALSE(MatchesGlob("", "a"));
  EXPECT_FALSE(MatchesGlob("a*b", "abc"));
}

}  // namespace
}  // namespace dovetail::conformance
