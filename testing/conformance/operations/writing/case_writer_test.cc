#include "dovetail/testing/conformance/operations/writing/case_writer.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/extensions/npy/npy.h"
#include "dovetail/testing/conformance/operations/case_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// bf16 is a type that arrays on disk lack.
constexpr char kSoftPlus[] = R"(case soft_plus_4_bf16
of SoftPlus-4, Parameter-0
tolerance 0.01 relative, 0.02 absolute
evidence numpy: computed in f64
model
  %0 = Parameter-0() {shape: [2], element_type: bf16}
  %1 = Parameter-0() {shape: [], element_type: i64}
  %2 = SoftPlus-4(%0) {}
  %3 = Result-0(%2) {}
  %4 = Result-0(%1) {}
input bf16[2] {0, 100}
input i64[] {7}
output f32[2] {0.6931472, 100}
output i64[] {7}
again
input bf16[2] {-100, 1.5}
input i64[] {7}
output bf16[2] {0, 1.703125}
output i64[] {7}
)";

std::string NewFolder(const std::string& name) {
  const std::string folder = testing::TempDir() + "/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

// The case as files of a set, the second input of the second inference left
// out, as it is the same.
std::string MakeSet(const std::string& tolerance) {
  const std::string set = NewFolder("set");
  const auto cases = ParseCases(kSoftPlus);
  EXPECT_TRUE(cases.ok()) << cases.status();
  const OperationCase& test_case = cases->at(0);
  const std::string folder = set + "/" + test_case.name;
  std::filesystem::create_directories(folder);
  std::ofstream(set + "/index.tsv")
      << "case\tops\trtol\tatol\tsource\tnote\n"
      << test_case.name << "\tSoftPlus-4,Parameter-0\t" << tolerance
      << "\t0.02\tnumpy\tcomputed in f64\n";
  EXPECT_TRUE(WriteIr(*test_case.model, folder + "/model.xml").ok());
  for (int k = 0; k < 2; ++k) {
    const std::string end = k == 0 ? ".npy" : ".step2.npy";
    const OperationCase::Inference& inference = test_case.inferences[k];
    for (int i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i);
      if (k == 0 || i == 0) {
        EXPECT_TRUE(
            WriteNpy(folder + "/in" + number + end, inference.inputs[i]).ok());
      }
      EXPECT_TRUE(
          WriteNpy(folder + "/out" + number + end, inference.outputs[i]).ok());
    }
  }
  return set;
}

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  return std::string((std::istreambuf_iterator<char>(file)),
                     std::istreambuf_iterator<char>());
}

TEST(CaseWriterTest, WritesIntoTheFileOfTheOperation) {
  const std::string folder = NewFolder("cases");
  std::filesystem::create_directories(folder + "/activation");
  const std::string path = folder + "/activation/softplus.txt";
  std::ofstream(path) << "# All of them.\n\ncase other\nof SoftPlus-4\n";
  const auto count = WriteCases({MakeSet("0.5")}, "*", folder);
  ASSERT_TRUE(count.ok()) << count.status();
  EXPECT_EQ(*count, 1);
  // Again, with another tolerance.
  ASSERT_TRUE(WriteCases({MakeSet("0.01")}, "soft*", folder).ok());
  EXPECT_EQ(Contents(path),
            absl::StrCat("# All of them.\n\ncase other\nof SoftPlus-4\n\n",
                         kSoftPlus));
  EXPECT_EQ(*WriteCases({MakeSet("0.5")}, "hard*", folder), 0);
}

TEST(CaseWriterTest, AsksForAFileOfANewOperation) {
  const auto count = WriteCases({MakeSet("0.5")}, "*", NewFolder("cases"));
  EXPECT_THAT(
      std::string(count.status().message()),
      testing::HasSubstr("soft_plus_4_bf16: no file for SoftPlus: begin with "
                         "an empty cases/<family>/softplus.txt"));
}

}  // namespace
}  // namespace dovetail
