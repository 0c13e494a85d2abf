#include "dovetail/backends/cpu/kernels/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

enum class Mask { kNone, kNumbers, kFlags, kOneFlagARow, kCausal };

struct Case {
  int64_t queries, keys, depth, width;
};

// Random tensors of a case, and attention as the formula says.
class Example {
 public:
  Example(const Case& c, Mask mask, bool has_sink) : c_(c), mask_(mask) {
    q_ = Numbers(c.queries * c.depth);
    k_ = Numbers(c.keys * c.depth);
    v_ = Numbers(c.keys * c.width);
    numbers_ = Numbers(c.queries * c.keys);
    sinks_ = Numbers(c.queries);
    for (int64_t i = 0; i < c.queries * c.keys; ++i) {
      flags_.push_back(i % c.keys == 0 || random_() % 3 != 0);
    }
    problem_.queries = c.queries;
    problem_.keys = c.keys;
    problem_.depth = c.depth;
    problem_.width = c.width;
    problem_.q = {q_.data(), c.depth};
    problem_.k = {k_.data(), c.depth};
    problem_.v = {v_.data(), c.width};
    problem_.scale = 0.7f;
    problem_.causal = mask == Mask::kCausal;
    if (mask == Mask::kNumbers) {
      problem_.mask = {numbers_.data(), nullptr, c.keys, 1};
    } else if (mask == Mask::kFlags) {
      problem_.mask = {nullptr, flags_.data(), c.keys, 1};
    } else if (mask == Mask::kOneFlagARow) {
      std::fill(flags_.begin(), flags_.end(), 1);
      problem_.mask = {nullptr, flags_.data(), 1, 0};
    }
    if (has_sink) {
      problem_.sink = sinks_.data();
      problem_.sink_stride = 1;
    }
  }

  double Error() {
    std::vector<float> out(c_.queries * c_.width, 99.0f);
    problem_.out = out.data();
    problem_.out_stride = c_.width;
    Run();
    double error = 0;
    for (int64_t row = 0; row < c_.queries; ++row) {
      const std::vector<double> expected = Expected(row);
      for (int64_t i = 0; i < c_.width; ++i) {
        error = std::max(error,
                         std::abs(expected[i] - out[row * c_.width + i]));
      }
    }
    return error;
  }

 private:
  std::vector<float> Numbers(int64_t count) {
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> result(count);
    for (float& x : result) x = values(random_);
    return result;
  }

  void Run() {
    const bool in_place = AttentionReadsInPlace(c_.queries, c_.width);
    std::vector<float> packed(PackedAttentionElements(problem_));
    if (!in_place) PackAttention(problem_, packed.data());
    const int64_t rows = AttentionRowsAtATime(c_.queries, c_.keys);
    std::vector<float> scratch(AttentionScratchElements(rows, c_.keys));
    for (int64_t row = 0; row < c_.queries; row += rows) {
      RunAttention(problem_, in_place ? nullptr : packed.data(), row,
                   std::min(c_.queries, row + rows), scratch.data());
    }
  }

  double Score(int64_t row, int64_t key) const {
    double score = 0;
    for (int64_t i = 0; i < c_.depth; ++i) {
      score += double{q_[row * c_.depth + i]} * k_[key * c_.depth + i];
    }
    score *= problem_.scale;
    const double never = -std::numeric_limits<double>::infinity();
    if (mask_ == Mask::kCausal) return key > row ? never : score;
    if (mask_ == Mask::kFlags && !flags_[row * c_.keys + key]) return never;
    if (mask_ == Mask::kNumbers) score += numbers_[row * c_.keys + key];
    return score;
  }

  std::vector<double> Expected(int64_t row) const {
    std::vector<double> result(c_.width);
    double sum = problem_.sink != nullptr ? std::exp(double{sinks_[row]}) : 0;
    for (int64_t key = 0; key < c_.keys; ++key) {
      const double weight = std::exp(Score(row, key));
      sum += weight;
      for (int64_t i = 0; i < c_.width; ++i) {
        result[i] += weight * v_[key * c_.width + i];
      }
    }
    for (double& x : result) x /= sum;
    return result;
  }

  const Case c_;
  const Mask mask_;
  std::mt19937 random_{1};
  std::vector<float> q_, k_, v_, numbers_, sinks_;
  std::vector<uint8_t> flags_;
  AttentionProblem problem_;
};

TEST(AttentionKernelTest, AgreesWithTheFormula) {
  const Case cases[] = {
      {1, 1, 1, 1},     {1, 37, 64, 64},  {2, 9, 64, 32},
      {3, 5, 8, 10},    {7, 13, 20, 24},  {33, 70, 32, 48},
      {13, 300, 16, 8}, {100, 31, 7, 64}, {9, 5000, 4, 4},
  };
  for (const Case& c : cases) {
    for (const Mask mask : {Mask::kNone, Mask::kNumbers, Mask::kFlags,
                            Mask::kOneFlagARow, Mask::kCausal}) {
      for (const bool has_sink : {false, true}) {
        EXPECT_LT(Example(c, mask, has_sink).Error(), 1e-5)
            << c.queries << " queries, " << c.keys << " keys, mask "
            << static_cast<int>(mask) << ", sink " << has_sink;
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
