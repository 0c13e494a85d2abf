#include "dovetail/backends/common/kernels/reduction/reduce.h"

#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

using Dims = std::vector<int64_t>;

constexpr ReduceKind kKinds[] = {ReduceKind::kSum,     ReduceKind::kMean,
                                 ReduceKind::kMax,     ReduceKind::kMin,
                                 ReduceKind::kProduct, ReduceKind::kL1,
                                 ReduceKind::kL2,      ReduceKind::kSumSquares};

int64_t Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

std::vector<float> Numbers(int64_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1.5f, 1.5f);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = uniform(random);
  return numbers;
}

double Plainly(ReduceKind kind, const std::vector<double>& x) {
  double sum = 0, product = 1, most = -INFINITY, least = INFINITY;
  double magnitudes = 0, squares = 0;
  for (const double v : x) {
    sum += v;
    product *= v;
    most = std::max(most, v);
    least = std::min(least, v);
    magnitudes += std::fabs(v);
    squares += v * v;
  }
  switch (kind) {
    case ReduceKind::kSum:
      return sum;
    case ReduceKind::kMean:
      return sum / static_cast<double>(x.size());
    case ReduceKind::kMax:
      return most;
    case ReduceKind::kMin:
      return least;
    case ReduceKind::kProduct:
      return product;
    case ReduceKind::kL1:
      return magnitudes;
    case ReduceKind::kL2:
      return std::sqrt(squares);
    case ReduceKind::kSumSquares:
      return squares;
  }
  return NAN;
}

// Parts of at least so many numbers; all of a row by default.
constexpr int64_t kUndivided = int64_t{1} << 40;

std::vector<float> Reduced(ReduceKind kind, const Dims& dims,
                           const std::vector<bool>& reduced,
                           std::vector<float> data,
                           int64_t least = kUndivided) {
  std::unique_ptr<bool[]> flags(new bool[reduced.size()]);
  int64_t count = 1;
  for (size_t i = 0; i < reduced.size(); ++i) {
    flags[i] = reduced[i];
    if (reduced[i]) count *= dims[i];
  }
  bool first = true;
  const std::vector<ReduceStage> stages =
      ReduceStages(dims, absl::MakeConstSpan(flags.get(), reduced.size()));
  for (const ReduceStage& stage : DivideLongStages(stages, least)) {
    EXPECT_EQ(stage.in_count(), static_cast<int64_t>(data.size()));
    std::vector<float> out(stage.out_count() + 1, 77);
    const int64_t middle = stage.units() / 2;
    RunReduceStage(kind, first, stage, data.data(), out.data(), middle,
                   stage.units());
    RunReduceStage(kind, first, stage, data.data(), out.data(), 0, middle);
    EXPECT_EQ(out.back(), 77) << "wrote behind the end";
    out.pop_back();
    data = out;
    first = false;
  }
  FinishReduce(kind, count, data.data(), 0, data.size());
  return data;
}

void ExpectReductions(const Dims& dims, const std::vector<bool>& reduced,
                      int64_t least = kUndivided) {
  const std::vector<float> data = Numbers(Product(dims));
  int64_t results = 1;
  for (size_t i = 0; i < dims.size(); ++i) results *= reduced[i] ? 1 : dims[i];
  std::vector<std::vector<double>> parts(results);
  for (int64_t i = 0; i < static_cast<int64_t>(data.size()); ++i) {
    int64_t rest = i, result = 0, stride = 1;
    for (size_t k = dims.size(); k-- > 0; rest /= dims[k]) {
      if (reduced[k]) continue;
      result += rest % dims[k] * stride;
      stride *= dims[k];
    }
    parts[result].push_back(data[i]);
  }
  for (const ReduceKind kind : kKinds) {
    const std::vector<float> got = Reduced(kind, dims, reduced, data, least);
    ASSERT_EQ(got.size(), parts.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const double want = Plainly(kind, parts[i]);
      double scale = std::fabs(want);
      if (kind == ReduceKind::kSum || kind == ReduceKind::kMean) {
        scale = Plainly(ReduceKind::kL1, parts[i]);
      }
      const double factors = static_cast<double>(parts[i].size());
      const double near =
          kind == ReduceKind::kProduct ? 1e-7 * (factors + 4) : 1e-6;
      ASSERT_NEAR(got[i], want, near * scale + 1e-6)
          << "kind " << static_cast<int>(kind) << " of "
          << ::testing::PrintToString(dims) << " at " << i;
    }
  }
}

TEST(ReduceTest, Rows) {
  for (const int64_t length : {1, 2, 7, 8, 9, 31, 32, 33, 100, 5000}) {
    ExpectReductions({3, length}, {false, true});
  }
}

// Several to a vector, and some that fill none.
TEST(ReduceTest, ManyShortRows) {
  for (const int64_t length : {1, 2, 3, 5, 8, 15, 16, 17}) {
    for (const int64_t rows : {5, 16, 37}) {
      ExpectReductions({rows, length}, {false, true});
    }
  }
}

TEST(ReduceTest, Columns) {
  for (const int64_t inner : {2, 3, 5, 8, 15, 16, 17, 64, 127, 128, 129, 300}) {
    for (const int64_t length : {1, 2, 9, 63, 64, 65, 200}) {
      ExpectReductions({2, length, inner}, {false, true, false});
    }
  }
}

TEST(ReduceTest, SeveralAxes) {
  for (int axes = 0; axes < 16; ++axes) {
    ExpectReductions({3, 4, 5, 6}, {(axes & 1) != 0, (axes & 2) != 0,
                                    (axes & 4) != 0, (axes & 8) != 0});
  }
}

TEST(ReduceTest, AreasOfBlockedChannels) {
  ExpectReductions({4, 49, 8}, {false, true, false});
  ExpectReductions({2, 1000, 16}, {false, true, false});
}

TEST(ReduceTest, PartsOfLongStages) {
  for (const int64_t least : {4, 30, 100}) {
    ExpectReductions({2, 300}, {false, true}, least);
    ExpectReductions({1, 96, 20}, {false, true, false}, least);
    ExpectReductions({3, 17, 2, 5}, {true, true, false, true}, least);
  }
}

// Into as many parts as there are numbers for, and that divide the length.
TEST(ReduceTest, DividesByExtentsAlone) {
  const auto parts = [](const ReduceStage& stage) {
    const std::vector<ReduceStage> divided = DivideLongStages({stage}, 100);
    return divided.size() == 1 ? 1 : divided.back().length;
  };
  EXPECT_EQ(parts({1, 1 << 20, 1}), 16);
  EXPECT_EQ(parts({1, 1000, 1}), 10);
  EXPECT_EQ(parts({1, 990, 1}), 9);
  EXPECT_EQ(parts({1, 1009, 1}), 1);   // a prime number
  EXPECT_EQ(parts({16, 1000, 1}), 1);  // enough for many threads
  EXPECT_EQ(parts({1, 199, 1}), 1);
  EXPECT_EQ(parts({0, 1000, 1}), 1);
}

TEST(ReduceTest, NothingGivesWhatChangesNothing) {
  EXPECT_EQ(Reduced(ReduceKind::kSum, {2, 0}, {false, true}, {}),
            (std::vector<float>{0, 0}));
  EXPECT_EQ(Reduced(ReduceKind::kProduct, {0, 20}, {true, false}, {}),
            std::vector<float>(20, 1));
}

TEST(ReduceTest, LongSumsStayExact) {
  const std::vector<float> data(1 << 20, 0.1f);
  EXPECT_NEAR(Reduced(ReduceKind::kMean, {1 << 20}, {true}, data)[0], 0.1f,
              5e-7);
  EXPECT_NEAR(Reduced(ReduceKind::kMean, {1 << 15, 32}, {true, false}, data)[3],
              0.1f, 1e-6);
}

}  // namespace
}  // namespace dovetail::host
