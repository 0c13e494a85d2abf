#include "dovetail/tools/conformance/topologies/generated_weights.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Expected by a computation of its own, in Python.
TEST(GenerateWeightsTest, GivesTheNumbersOfTheFormula) {
  std::vector<float> weights(4);
  GenerateWeights(0.25f, 0.75f, ~uint64_t{1}, 0, absl::MakeSpan(weights));
  EXPECT_THAT(weights, ElementsAre(0x1.d960bap-1f, 0x1.ae8c54p-1f,
                                   0x1.a661f8p-1f, 0x1.663d0ep-2f));
  // Each operation rounded: a scale that a fused one would show.
  GenerateWeights(-0x1.99999ap-4f, 0x1.000002p+1f, 12345, 0,
                  absl::MakeSpan(weights));
  EXPECT_THAT(weights, ElementsAre(-0x1.915394p+0f, 0x1.145f44p+0f,
                                   -0x1.a5b06ep-1f, 0x1.ff4e54p-5f));
  GenerateWeights(-0x1.99999ap-4f, 0x1.000002p+1f, 12345, 4,
                  absl::MakeSpan(weights).first(1));
  EXPECT_EQ(weights[0], -0x1.753e04p+0f);
}

class WriteGeneratedWeightsTest : public ::testing::Test {
 protected:
  WriteGeneratedWeightsTest()
      : folder_(std::filesystem::path(::testing::TempDir()) / "network") {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "small.bin") << "abcdefgh";
  }
  ~WriteGeneratedWeightsTest() override {
    std::filesystem::remove_all(folder_);
  }

  absl::Status Write(const std::string& rows) {
    std::ofstream(folder_ / "weights.tsv")
        << "offset\tsize\ttype\tkind\tmean\tscale\tseed\tsmall_offset\n"
        << rows;
    return WriteGeneratedWeights(folder_.string(),
                                 (folder_ / "model.bin").string());
  }

  std::string Bytes() const {
    std::ifstream in(folder_ / "model.bin", std::ios::binary);
    return {std::istreambuf_iterator<char>(in),
            std::istreambuf_iterator<char>()};
  }

  const std::filesystem::path folder_;
};

TEST_F(WriteGeneratedWeightsTest, PutsConstantsWhereTheyBelong) {
  const absl::Status status =
      Write("0\t2\tu8\traw\t-\t-\t-\t3\n"
            "4\t8\tf32\tgen\t0x1.0p-2\t0x1.8p-1\t18446744073709551614\t-\n");
  ASSERT_TRUE(status.ok()) << status;
  const std::string bytes = Bytes();
  ASSERT_EQ(bytes.size(), 12u);
  EXPECT_EQ(bytes.substr(0, 4), std::string("de\0\0", 4));
  float weights[2];
  std::memcpy(weights, bytes.data() + 4, sizeof(weights));
  EXPECT_THAT(weights, ElementsAre(0x1.d960bap-1f, 0x1.ae8c54p-1f));
}

TEST_F(WriteGeneratedWeightsTest, SaysWhichLineIsWrong) {
  const auto error = [&](const std::string& row) {
    return std::string(Write("0\t1\tu8\traw\t-\t-\t-\t0\n" + row).message());
  };
  EXPECT_THAT(error("4\t1\tu8\traw\t-\t-\t-\t8\n"),
              HasSubstr("weights.tsv: line 3: small.bin is only 8 bytes long"));
  EXPECT_THAT(error("4\t6\tf32\tgen\t0x1p0\t0x1p0\t1\t-\n"),
              HasSubstr("line 3: the size is 6 bytes, want whole floats"));
  EXPECT_THAT(error("4\t4\tf32\tgen\t0x1p0\t0x1q0\t1\t-\n"),
              HasSubstr("line 3: a number is none"));
  EXPECT_THAT(error("4\t4\tf32\tmade\t-\t-\t-\t-\n"),
              HasSubstr("line 3: the kind is 'made', want raw or gen"));
  EXPECT_THAT(error("4\t4\n"), HasSubstr("line 3: has 2 columns, want 8"));
  EXPECT_THAT(
      WriteGeneratedWeights("nowhere", (folder_ / "x").string()).message(),
      HasSubstr("nowhere/weights.tsv: line 1 is not the columns"));
}

}  // namespace
}  // namespace dovetail::conformance
