#include "dovetail/tools/cli/output/output_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace dovetail::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Tensor Of(const std::vector<double>& values) {
  return *Tensor::FromDoubles(ElementType::kF32,
                              {static_cast<int64_t>(values.size())}, values);
}

TEST(OutputSummaryTest, LeavesNanOutOfExtremesAndMean) {
  const Summary summary = Summarize(Of({NAN, 4, -2, 1, NAN}));
  EXPECT_EQ(summary.min, -2);
  EXPECT_EQ(summary.max, 4);
  EXPECT_EQ(summary.mean, 1);
  EXPECT_EQ(summary.nan_count, 2);
}

TEST(OutputSummaryTest, AnEmptyTensorHasNoExtremes) {
  const Summary summary = Summarize(Of({}));
  EXPECT_EQ(summary.min, 0);
  EXPECT_EQ(summary.max, 0);
  EXPECT_EQ(summary.mean, 0);
}

TEST(OutputSummaryTest, TheFirstOfEqualElementsIsBetter) {
  EXPECT_THAT(TopK(Of({1, 3, NAN, 3, 2}), 3),
              ElementsAre(Pair(1, 3), Pair(3, 3), Pair(4, 2)));
}

TEST(OutputSummaryTest, AsksForMoreThanThereIs) {
  EXPECT_THAT(TopK(Of({1, 2}), 9), ElementsAre(Pair(1, 2), Pair(0, 1)));
}

TEST(OutputSummaryTest, ReadsLabelsOfAnyLineEnd) {
  const std::string path = ::testing::TempDir() + "/labels.txt";
  std::ofstream(path) << "cat\r\n\ndog";
  EXPECT_THAT(*ReadLabels(path), ElementsAre("cat", "", "dog"));
  EXPECT_EQ(ReadLabels(path + ".none").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace dovetail::cli
