#include "dovetail/backends/cpu/kernels/movement/block_bytes.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

TEST(BlockBytesTest, EveryElementGoesWhereItBelongs) {
  for (const int64_t channels : {1, 3, 8}) {
    for (const int64_t count : {1, 15, 16, 37}) {
      const int64_t stride = count + 5;
      std::vector<uint8_t> from(channels * stride);
      for (size_t i = 0; i < from.size(); ++i) {
        from[i] = static_cast<uint8_t>(i * 7 + 1);
      }
      std::vector<uint8_t> to(count * 8, 0xff);
      BlockBytes(from.data(), stride, channels, count, to.data());
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t c = 0; c < 8; ++c) {
          EXPECT_EQ(to[i * 8 + c], c < channels ? from[c * stride + i] : 0)
              << "channel " << c << " of element " << i << " of " << count;
        }
      }
    }
  }
}

TEST(BlockBytesTest, OfPixels) {
  const int64_t stride = 11, count = 9;
  std::vector<uint8_t> from(count * stride);
  for (size_t i = 0; i < from.size(); ++i) {
    from[i] = static_cast<uint8_t>(i * 5 + 1);
  }
  for (const int64_t channels : {3, 8}) {
    std::vector<uint8_t> to(count * 8, 0xff);
    BlockBytesOfPixels(from.data(), stride, channels, count, to.data());
    for (int64_t i = 0; i < count * 8; ++i) {
      const int64_t c = i % 8;
      EXPECT_EQ(to[i], c < channels ? from[i / 8 * stride + c] : 0) << i;
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
