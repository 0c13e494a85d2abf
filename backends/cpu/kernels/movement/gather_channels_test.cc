#include "dovetail/backends/cpu/kernels/movement/gather_channels.h"

#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kImages = 2, kPixels = 300;

// Without channels.
template <typename T>
ChannelGather GatherTo(int64_t block) {
  ChannelGather gather;
  gather.element_bytes = sizeof(T);
  gather.images = kImages;
  gather.pixels = kPixels;
  gather.block = block;
  return gather;
}

// Two sources: three channels row-major, and a block of 8. The result has
// blocks of `block` channels.
template <typename T>
void Check(int64_t block) {
  std::vector<T> planar(kImages * 3 * kPixels), blocked(kImages * 8 * kPixels);
  std::iota(planar.begin(), planar.end(), T{1});
  std::iota(blocked.begin(), blocked.end(), T{77});
  ChannelGather gather = GatherTo<T>(block);
  for (int64_t i = 0; i < 3; ++i) {
    gather.channels.push_back({1, 7 - 2 * i, 8, 8 * kPixels});
    gather.channels.push_back({0, i * kPixels, 1, 3 * kPixels});
  }
  while (gather.channels.size() % block != 0) gather.channels.push_back({});
  const auto count = static_cast<int64_t>(gather.channels.size());
  std::vector<T> result(kImages * count * kPixels, T{9});
  const void* const sources[] = {planar.data(), blocked.data()};
  const ChannelCopies copies(gather);
  const int64_t items = copies.work_item_count();
  copies.Run(sources, result.data(), 0, items / 3);
  copies.Run(sources, result.data(), items / 3, items);
  for (int64_t n = 0; n < kImages; ++n) {
    for (int64_t c = 0; c < count; ++c) {
      for (int64_t p = 0; p < kPixels; ++p) {
        const T want = c >= 6       ? T{0}
                       : c % 2 == 0 ? blocked[(n * kPixels + p) * 8 + 7 - c]
                                    : planar[(n * 3 + c / 2) * kPixels + p];
        const int64_t at =
            ((n * count + c / block * block) * kPixels) + p * block + c % block;
        ASSERT_EQ(result[at], want) << n << " " << c << " " << p;
      }
    }
  }
}

TEST(GatherChannelsTest, RowMajor) { Check<uint32_t>(1); }

TEST(GatherChannelsTest, BlocksOfFloats) { Check<uint32_t>(8); }

TEST(GatherChannelsTest, ChannelsLast) { Check<uint32_t>(6); }

TEST(GatherChannelsTest, Bytes) { Check<uint8_t>(8); }

TEST(GatherChannelsTest, HalfFloats) { Check<uint16_t>(16); }

TEST(GatherChannelsTest, LongNumbers) { Check<uint64_t>(2); }

// Neighbours in both, but where one source ends and the other begins.
template <typename T>
void CheckJoined(int64_t first_count, int64_t second_count) {
  const int64_t all = first_count + second_count;
  std::vector<T> first(kImages * first_count * kPixels);
  std::vector<T> second(kImages * second_count * kPixels);
  std::iota(first.begin(), first.end(), T{1});
  std::iota(second.begin(), second.end(), T{77});
  ChannelGather gather = GatherTo<T>(all);
  for (int64_t i = 0; i < all; ++i) {
    gather.channels.push_back(
        i < first_count
            ? GatheredChannel{0, i, first_count, first_count * kPixels}
            : GatheredChannel{1, i - first_count, second_count,
                              second_count * kPixels});
  }
  std::vector<T> result(kImages * all * kPixels);
  const void* const sources[] = {first.data(), second.data()};
  const ChannelCopies copies(gather);
  copies.Run(sources, result.data(), 0, copies.work_item_count());
  for (int64_t pixel = 0; pixel < kImages * kPixels; ++pixel) {
    for (int64_t c = 0; c < all; ++c) {
      ASSERT_EQ(result[pixel * all + c],
                c < first_count
                    ? first[pixel * first_count + c]
                    : second[pixel * second_count + c - first_count])
          << pixel << " " << c;
    }
  }
}

TEST(GatherChannelsTest, NeighboursLast) {
  CheckJoined<uint8_t>(21, 16);
  CheckJoined<uint16_t>(21, 16);
  CheckJoined<uint32_t>(21, 16);
  CheckJoined<uint8_t>(3, 40);
  CheckJoined<uint16_t>(7, 5);
  CheckJoined<uint64_t>(2000, 1);
}

// Pieces of less and more than what is copied at a time, and of just that.
TEST(GatherChannelsTest, NeighboursOfAllLengths) {
  for (int64_t count = 1; count < 36; ++count) {
    CheckJoined<uint8_t>(count, 8);
    CheckJoined<uint16_t>(4, count);
  }
}

}  // namespace
}  // namespace dovetail::cpu
