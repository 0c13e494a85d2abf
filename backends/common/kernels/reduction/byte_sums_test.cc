#include "dovetail/backends/common/kernels/reduction/byte_sums.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

template <typename T>
void ExpectSums(const ReduceStage& stage) {
  std::mt19937 random(5);
  std::vector<T> in(stage.in_count());
  for (T& number : in) number = static_cast<T>(random() >> 24);
  std::vector<float> want(stage.out_count());
  for (int64_t i = 0; i < stage.in_count(); ++i) {
    const int64_t outer = i / (stage.length * stage.inner);
    want[outer * stage.inner + i % stage.inner] += in[i];
  }
  std::vector<float> got(stage.out_count() + 1, 77);
  const int64_t middle = stage.units() / 2;
  RunByteSums(stage, in.data(), got.data(), middle, stage.units());
  RunByteSums(stage, in.data(), got.data(), 0, middle);
  EXPECT_EQ(got.back(), 77) << "wrote behind the end";
  got.pop_back();
  EXPECT_EQ(got, want) << stage.outer << " " << stage.length << " "
                       << stage.inner;
}

TEST(ByteSumsTest, AreExact) {
  for (const ReduceStage& stage : {ReduceStage{1, 1, 1},
                                   {3, 5, 1},
                                   {4, 1000, 1},
                                   {2, 7, 3},
                                   {2, 49, 16},
                                   {1, 196, 200},
                                   {3, 9, 131},
                                   {5, 0, 4},
                                   {2, 0, 1}}) {
    ExpectSums<uint8_t>(stage);
    ExpectSums<int8_t>(stage);
  }
}

// More than one part whose sum is exact, of bytes that make sums that f32 has.
TEST(ByteSumsTest, OfManyRows) {
  for (const int64_t inner : {1, 2, 64}) {
    const ReduceStage stage = {1, 200000, inner};
    const std::vector<uint8_t> in(stage.in_count(), 32);
    std::vector<float> out(inner);
    RunByteSums(stage, in.data(), out.data(), 0, stage.units());
    EXPECT_EQ(out, std::vector<float>(inner, 6400000.0f)) << inner;
  }
}

}  // namespace
}  // namespace dovetail::host
