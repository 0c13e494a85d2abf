#include "dovetail/backends/common/kernels/signal/fourier.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::host {
namespace {

using Complex = std::complex<double>;

// Of an error, as a part of the root of the mean square of the results.
constexpr double kTolerance = 2e-6;

constexpr int64_t kLengths[] = {
    1,  2,  3,  4,  5,   6,   7,   8,   9,  11,  13,  15,  16,  22,  47,
    49, 64, 94, 97, 100, 106, 120, 127, 67, 134, 147, 224, 251, 256, 768};

// Scratch memory is aligned to more than std::vector's is.
class AlignedNumbers {
 public:
  explicit AlignedNumbers(int64_t count) : numbers_(count + 16) {}
  float* data() {
    const auto at = reinterpret_cast<uintptr_t>(numbers_.data());
    return numbers_.data() + (64 - at % 64) % 64 / sizeof(float);
  }

 private:
  std::vector<float> numbers_;
};

std::vector<float> RandomNumbers(int64_t count, int64_t seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::normal_distribution<float> distribution;
  std::vector<float> numbers(count);
  for (float& x : numbers) x = distribution(random);
  return numbers;
}

std::vector<Complex> Transformed(const std::vector<Complex>& line,
                                 bool inverse) {
  const auto n = static_cast<int64_t>(line.size());
  std::vector<Complex> roots, result(n);
  for (int64_t k = 0; k < n; ++k) {
    roots.push_back(
        std::polar(1.0, (inverse ? 2 : -2) * M_PI * static_cast<double>(k) /
                            static_cast<double>(n)));
  }
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t j = 0; j < n; ++j) result[k] += line[j] * roots[j * k % n];
    if (inverse) result[k] /= static_cast<double>(n);
  }
  return result;
}

// A line of data as the whole transform reads it: cut or filled with zeros, and
// of half a spectrum the other half.
std::vector<Complex> Whole(std::vector<Complex> line, FourierKind kind,
                           int64_t length) {
  const bool is_half = kind == FourierKind::kRealInverse;
  line.resize(is_half ? length / 2 + 1 : length);
  line.resize(length);
  if (!is_half) return line;
  for (int64_t k = length / 2 + 1; k < length; ++k) {
    line[k] = std::conj(line[length - k]);
  }
  return line;
}

struct Case {
  FourierPass pass;
  int64_t length;

  bool real_in() const { return pass.kind == FourierKind::kRealForward; }
  bool real_out() const { return pass.kind == FourierKind::kRealInverse; }
  bool inverse() const {
    return pass.kind == FourierKind::kInverse || real_out();
  }
};

// Compares with the sums that define the transform.
void Check(const Case& c) {
  const FourierPass& pass = c.pass;
  const FourierPlan plan(c.length, c.real_in() || c.real_out());
  const int64_t out_length = FourierOutLength(plan, pass.kind);
  const int64_t lines = pass.outer * pass.inner;
  const int64_t in_parts = c.real_in() ? 1 : 2, parts = c.real_out() ? 1 : 2;
  const std::vector<float> in =
      RandomNumbers(lines * pass.in_length * in_parts, c.length);
  std::vector<float> out(lines * out_length * parts, -100.0f);
  AlignedNumbers scratch(FourierScratchElements(plan));
  RunFourier(plan, pass, in.data(), out.data(), 0, FourierUnits(pass),
             scratch.data());
  double greatest = 0, squares = 1e-30;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t outer = line / pass.inner, column = line % pass.inner;
    std::vector<Complex> data;
    for (int64_t k = 0; k < pass.in_length; ++k) {
      const float* const at =
          &in[((outer * pass.in_length + k) * pass.inner + column) * in_parts];
      data.emplace_back(at[0], c.real_in() ? 0 : at[1]);
    }
    const auto expected =
        Transformed(Whole(data, pass.kind, c.length), c.inverse());
    for (int64_t k = 0; k < out_length; ++k) {
      const float* const at =
          &out[((outer * out_length + k) * pass.inner + column) * parts];
      const double re = std::abs(at[0] - expected[k].real());
      const double im = c.real_out() ? 0 : std::abs(at[1] - expected[k].imag());
      greatest = std::max({greatest, re, im});
      squares += std::norm(expected[k]);
    }
  }
  const double scale =
      std::sqrt(squares / static_cast<double>(lines * out_length));
  EXPECT_LT(greatest / scale, kTolerance)
      << "kind " << static_cast<int>(pass.kind) << ", {" << pass.outer << ", "
      << pass.in_length << ", " << pass.inner << "}, length " << c.length;
}

constexpr FourierKind kKinds[] = {FourierKind::kForward, FourierKind::kInverse,
                                  FourierKind::kRealForward,
                                  FourierKind::kRealInverse};

int64_t DataLength(FourierKind kind, int64_t length) {
  return kind == FourierKind::kRealInverse ? length / 2 + 1 : length;
}

TEST(FourierTest, Lengths) {
  for (const FourierKind kind : kKinds) {
    for (const int64_t length : kLengths) {
      Check({{kind, 3, DataLength(kind, length), 1}, length});
      Check({{kind, 1, DataLength(kind, length), 5}, length});
    }
  }
}

TEST(FourierTest, NumbersOfLines) {
  for (const FourierKind kind : kKinds) {
    for (int64_t lines = 1; lines <= 35; ++lines) {
      Check({{kind, lines, DataLength(kind, 10), 1}, 10});
      Check({{kind, 2, DataLength(kind, 10), lines}, 10});
    }
  }
}

TEST(FourierTest, CutsAndFillsWithZeros) {
  for (const FourierKind kind : kKinds) {
    for (const int64_t length : {7, 16, 53}) {
      for (const int64_t data : {1, 3, 8, 16, 70}) {
        Check({{kind, 17, data, 1}, length});
        Check({{kind, 2, data, 9}, length});
      }
    }
  }
}

TEST(FourierTest, InPlaceAndInParts) {
  for (const int64_t inner : {1, 19}) {
    const FourierPlan plan(12);
    const FourierPass pass = {FourierKind::kForward, 9, 12, inner};
    const std::vector<float> in = RandomNumbers(9 * 12 * inner * 2, 1);
    AlignedNumbers scratch(FourierScratchElements(plan));
    std::vector<float> out(in.size()), both = in;
    const int64_t units = FourierUnits(pass);
    RunFourier(plan, pass, in.data(), out.data(), 0, units, scratch.data());
    for (int64_t i = units; i-- > 0;) {
      RunFourier(plan, pass, both.data(), both.data(), i, i + 1,
                 scratch.data());
    }
    EXPECT_EQ(out, both);
  }
}

// Of the numbers that are their own mirror.
TEST(FourierTest, DropsImaginaryPartsOfWhatIsItsOwnMirror) {
  const FourierPlan plan(4, /*real=*/true);
  const FourierPass pass = {FourierKind::kRealInverse, 1, 3, 2};
  // Imaginary parts of the first and the last number have no effect.
  const std::vector<float> in = {4, 99, 8, -7, 0, 0, 0, 0, 0, 5, 0, 3};
  std::vector<float> out(8);
  AlignedNumbers scratch(FourierScratchElements(plan));
  RunFourier(plan, pass, in.data(), out.data(), 0, FourierUnits(pass),
             scratch.data());
  EXPECT_EQ(out, (std::vector<float>{1, 2, 1, 2, 1, 2, 1, 2}));
}

}  // namespace
}  // namespace dovetail::host
