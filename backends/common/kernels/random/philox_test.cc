#include "dovetail/backends/common/kernels/random/philox.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "dovetail/core/reference/random/streams.h"
#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

// As the reference kernel computes them, one after the other.
std::vector<float> Reference(const PhiloxUniform& uniform, int64_t count) {
  PhiloxBits bits(uniform.global_seed, uniform.op_seed);
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i) {
    const float unit =
        std::ldexp(static_cast<float>(bits.Next() & 0x7fffff), -23);
    volatile float product = unit * uniform.extent;
    numbers.push_back(product + uniform.min);
  }
  return numbers;
}

TEST(PhiloxTest, EqualsTheReference) {
  const PhiloxUniform streams[] = {
      {1, 2, 0, 1},
      {0, 7, -3.7f, 11.3f},
      {0x123456789abcdef0, 0xfedcba9876543210, 0.1f, 1e-3f},
  };
  for (const PhiloxUniform& uniform : streams) {
    const std::vector<float> want = Reference(uniform, 400);
    for (const int64_t count : {0, 1, 3, 4, 31, 32, 64, 65, 129, 300}) {
      for (const uint64_t block : {0, 1, 5, 25}) {
        std::vector<float> got(count + 1, -1);
        FillPhilox(uniform, block, count, got.data());
        for (int64_t i = 0; i < count; ++i) {
          EXPECT_EQ(got[i], want[block * 4 + i]) << count << " " << block;
        }
        EXPECT_EQ(got[count], -1);
      }
    }
  }
}

// Blocks with numbers about 2^32, each by itself and together.
TEST(PhiloxTest, CountsBeyond32Bits) {
  const PhiloxUniform uniform = {3, 4, 0, 1};
  const uint64_t first = (uint64_t{1} << 32) - 5;
  std::vector<float> together(160);
  FillPhilox(uniform, first, 160, together.data());
  for (int i = 0; i < 40; ++i) {
    float block[4];
    FillPhilox(uniform, first + i, 4, block);
    for (int j = 0; j < 4; ++j) EXPECT_EQ(together[4 * i + j], block[j]) << i;
  }
  EXPECT_NE(together[20], Reference(uniform, 1)[0]);
}

}  // namespace
}  // namespace dovetail::host
