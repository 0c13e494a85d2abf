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
  const int64_t items = gather.work_item_count();
  GatherChannels(gather, sources, result.data(), 0, items / 3);
  GatherChannels(gather, sources, result.data(), items / 3, items);
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
void CheckJoined() {
  constexpr int64_t kFirst = 21, kSecond = 16, kAll = kFirst + kSecond;
  std::vector<T> first(kImages * kFirst * kPixels);
  std::vector<T> second(kImages * kSecond * kPixels);
  std::iota(first.begin(), first.end(), T{1});
  std::iota(second.begin(), second.end(), T{77});
  ChannelGather gather = GatherTo<T>(kAll);
  for (int64_t i = 0; i < kAll; ++i) {
    gather.channels.push_back(
        i < kFirst
            ? GatheredChannel{0, i, kFirst, kFirst * kPixels}
            : GatheredChannel{1, i - kFirst, kSecond, kSecond * kPixels});
  }
  std::vector<T> result(kImages * kAll * kPixels);
  const void* const sources[] = {first.data(), second.data()};
  GatherChannels(gather, sources, result.data(), 0, gather.work_item_count());
  for (int64_t pixel = 0; pixel < kImages * kPixels; ++pixel) {
    for (int64_t c = 0; c < kAll; ++c) {
      ASSERT_EQ(result[pixel * kAll + c],
                c < kFirst ? first[pixel * kFirst + c]
                           : second[pixel * kSecond + c - kFirst])
          << pixel << " " << c;
    }
  }
}

TEST(GatherChannelsTest, NeighboursLast) {
  CheckJoined<uint8_t>();
  CheckJoined<uint16_t>();
  CheckJoined<uint32_t>();
}

}  // namespace
}  // namespace dovetail::cpu
