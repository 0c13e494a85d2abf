#include "dovetail/backends/common/kernels/movement/strided_copy.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

using Dims = std::vector<int64_t>;

int64_t Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

std::vector<uint8_t> SomeBytes(int64_t count) {
  std::mt19937 random(3);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// The same copy, one element at a time.
void CopyPlainly(const Dims& dims, const Dims& from_strides,
                 const Dims& to_strides, int size, const uint8_t* from,
                 uint8_t* to) {
  for (int64_t i = 0; i < Product(dims); ++i) {
    int64_t rest = i, source = 0, destination = 0;
    for (size_t k = dims.size(); k-- > 0; rest /= dims[k]) {
      source += rest % dims[k] * from_strides[k];
      destination += rest % dims[k] * to_strides[k];
    }
    std::memcpy(to + destination * size, from + source * size, size);
  }
}

void RunInParts(const StridedCopy& copy, const void* from, void* to) {
  const int64_t third = copy.unit_count / 3;
  RunStridedCopy(copy, from, to, third, copy.unit_count);
  RunStridedCopy(copy, from, to, 0, third);
}

void ExpectTransposes(const Dims& dims, const Dims& order) {
  for (const int size : {1, 2, 4, 8}) {
    const auto copy = MakeTranspose(dims, order, size);
    ASSERT_TRUE(copy.ok()) << copy.status();
    const int64_t bytes = Product(dims) * size;
    const std::vector<uint8_t> from = SomeBytes(bytes);
    std::vector<uint8_t> got(bytes), want(bytes);
    RunInParts(*copy, from.data(), got.data());
    Dims to_dims, from_strides;
    const auto strides = DenseStrides(dims);
    for (const int64_t axis : order) {
      to_dims.push_back(dims[axis]);
      from_strides.push_back(strides[axis]);
    }
    const auto to_strides = DenseStrides(to_dims);
    CopyPlainly(to_dims, from_strides,
                Dims(to_strides.begin(), to_strides.end()), size, from.data(),
                want.data());
    ASSERT_EQ(got, want) << ::testing::PrintToString(dims) << " by "
                         << ::testing::PrintToString(order) << " of " << size;
  }
}

TEST(TransposeTest, EveryOrderOfSmallDimensions) {
  for (const Dims& dims : {Dims{2, 3, 4, 5}, Dims{1, 17, 2, 33},
                           Dims{8, 1, 40, 3}, Dims{3, 16, 16, 2}}) {
    Dims order = {0, 1, 2, 3};
    do {
      ExpectTransposes(dims, order);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(TransposeTest, MatricesOfManySizes) {
  for (const int64_t rows : {1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 65, 130}) {
    for (const int64_t columns : {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 129}) {
      ExpectTransposes({rows, columns}, {1, 0});
      ExpectTransposes({2, rows, columns}, {0, 2, 1});
    }
  }
}

TEST(TransposeTest, LayoutsOfImages) {
  ExpectTransposes({2, 19, 13, 14}, {0, 2, 3, 1});
  ExpectTransposes({2, 13, 14, 19}, {0, 3, 1, 2});
  ExpectTransposes({1, 12, 5, 64}, {0, 2, 1, 3});
  ExpectTransposes({1, 3, 50, 60}, {0, 2, 3, 1});
  ExpectTransposes({1, 50, 60, 3}, {0, 3, 1, 2});
  ExpectTransposes({2, 2, 2, 3, 4, 5}, {0, 3, 4, 1, 5, 2});
}

void ExpectCopies(const Dims& dims, const Dims& from_strides,
                  const Dims& to_strides, int64_t first, int size) {
  const auto copy = MakeStridedCopy(dims, from_strides, to_strides, size);
  ASSERT_TRUE(copy.ok()) << copy.status();
  int64_t end = 1, last = first;
  for (size_t i = 0; i < dims.size(); ++i) {
    end += (dims[i] - 1) * to_strides[i];
    last += (dims[i] - 1) * std::max<int64_t>(0, from_strides[i]);
  }
  const std::vector<uint8_t> from = SomeBytes((last + 1) * size);
  std::vector<uint8_t> got(end * size, 9), want(end * size, 9);
  RunInParts(*copy, from.data() + first * size, got.data());
  CopyPlainly(dims, from_strides, to_strides, size, from.data() + first * size,
              want.data());
  ASSERT_EQ(got, want) << ::testing::PrintToString(dims);
}

TEST(StridedCopyTest, SlicesAndConcatenations) {
  for (const int size : {1, 2, 4, 8}) {
    ExpectCopies({5, 6, 7}, {100, 10, 1}, {42, 7, 1}, 3, size);
    ExpectCopies({5, 6, 7}, {42, 7, 1}, {90, 15, 1}, 0, size);
    ExpectCopies({3, 5}, {10, 2}, {5, 1}, 1, size);
    ExpectCopies({3, 70000}, {70000, 1}, {70001, 1}, 0, size);
  }
}

// Channels of pixels side by side, of any number of bytes.
TEST(StridedCopyTest, ShortRows) {
  for (const int64_t length : {1, 3, 4, 7, 8, 15, 16, 24, 31, 32, 48, 63, 64,
                               100, 128, 511, 512, 513, 700}) {
    ExpectCopies({3, 7, length}, {9 * length, length, 1},
                 {7 * (length + 5), length + 5, 1}, 2, 1);
    ExpectCopies({3, 7, length}, {9 * length, -length, 1},
                 {7 * (length + 5), length + 5, 1}, 8 * length, 2);
  }
}

TEST(StridedCopyTest, ReversesAndRepeats) {
  ExpectCopies({4, 9}, {9, -1}, {9, 1}, 8, 4);
  ExpectCopies({4, 9}, {-9, 1}, {9, 1}, 27, 4);
  ExpectCopies({6, 4, 9}, {0, 9, 1}, {36, 9, 1}, 0, 2);
  ExpectCopies({4, 9, 5}, {9, 1, 0}, {45, 5, 1}, 0, 4);
  ExpectCopies({100, 4}, {-1, 100}, {1, 100}, 99, 4);
}

TEST(StridedCopyTest, BlocksOfChannels) {
  // {C / 8, 8, H * W} planar to {C / 8, H * W, 8}, and back.
  ExpectCopies({3, 8, 49}, {392, 49, 1}, {392, 1, 8}, 0, 4);
  ExpectCopies({3, 49, 8}, {392, 8, 1}, {392, 1, 49}, 0, 4);
}

TEST(StridedCopyTest, RandomOnes) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const int rank = 1 + random() % 5;
    Dims dims(rank), order(rank);
    for (int64_t& dim : dims) dim = 1 + random() % (rank > 3 ? 7 : 20);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Dims from(rank), to(rank);
    int64_t from_stride = 1, to_stride = 1;
    for (int i = rank - 1; i >= 0; --i) {
      from[i] = random() % 4 == 0 ? 0 : from_stride;
      from_stride *= dims[i] + random() % 2;
      to[order[i]] = to_stride;
      to_stride *= dims[order[i]] + random() % 2;
    }
    ExpectCopies(dims, from, to, 0, 1 << (random() % 4));
  }
}

TEST(StridedCopyTest, OneAndNoElement) {
  ExpectCopies({}, {}, {}, 0, 4);
  ExpectCopies({1, 1}, {5, 7}, {1, 1}, 0, 4);
  const auto none = MakeStridedCopy({4, 0}, {0, 1}, {0, 1}, 4);
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->unit_count, 0);
}

TEST(StridedCopyTest, ReportsMistakes) {
  EXPECT_FALSE(MakeStridedCopy({2}, {1, 1}, {1}, 4).ok());
  EXPECT_FALSE(MakeStridedCopy({2}, {1}, {1}, 3).ok());
  EXPECT_FALSE(MakeStridedCopy({2}, {1}, {1}, 16).ok());
  EXPECT_FALSE(MakeStridedCopy({-2}, {1}, {1}, 4).ok());
  EXPECT_FALSE(MakeTranspose({2, 3}, {0, 0}, 4).ok());
  EXPECT_FALSE(MakeTranspose({2, 3}, {1}, 4).ok());
  EXPECT_FALSE(MakeTranspose({2, 3}, {1, 2}, 4).ok());
}

}  // namespace
}  // namespace dovetail::host
