// Random problems of attention for tests of its kernels.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_EXAMPLE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_EXAMPLE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/attention/problem.h"

namespace dovetail::cpu {

enum class ExampleMask { kNone, kNumbers, kFlags, kOneFlagARow, kCausal };

inline constexpr ExampleMask kExampleMasks[] = {
    ExampleMask::kNone, ExampleMask::kNumbers, ExampleMask::kFlags,
    ExampleMask::kOneFlagARow, ExampleMask::kCausal};

struct ExampleSizes {
  int64_t queries, keys, depth, width;
};

// Random tensors of a case, and attention as the formula says.
class AttentionExample {
 public:
  AttentionExample(const ExampleSizes& c, ExampleMask mask, bool has_sink)
      : c_(c), mask_(mask) {
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
    problem_.causal = mask == ExampleMask::kCausal;
    if (mask == ExampleMask::kNumbers) {
      problem_.mask = {numbers_.data(), nullptr, c.keys, 1};
    } else if (mask == ExampleMask::kFlags) {
      problem_.mask = {nullptr, flags_.data(), c.keys, 1};
    } else if (mask == ExampleMask::kOneFlagARow) {
      std::fill(flags_.begin(), flags_.end(), 1);
      problem_.mask = {nullptr, flags_.data(), 1, 0};
    }
    if (has_sink) {
      problem_.sink = sinks_.data();
      problem_.sink_stride = 1;
    }
  }

  // The greatest difference from what `run` computes.
  double Error(void (*run)(const AttentionProblem& problem)) {
    std::vector<float> out(c_.queries * c_.width, 99.0f);
    problem_.out = out.data();
    problem_.out_stride = c_.width;
    run(problem_);
    double error = 0;
    for (int64_t row = 0; row < c_.queries; ++row) {
      const std::vector<double> expected = Expected(row);
      for (int64_t i = 0; i < c_.width; ++i) {
        error =
            std::max(error, std::abs(expected[i] - out[row * c_.width + i]));
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

  double Score(int64_t row, int64_t key) const {
    double score = 0;
    for (int64_t i = 0; i < c_.depth; ++i) {
      score += double{q_[row * c_.depth + i]} * k_[key * c_.depth + i];
    }
    score *= problem_.scale;
    const double never = -std::numeric_limits<double>::infinity();
    if (mask_ == ExampleMask::kCausal) return key > row ? never : score;
    if (mask_ == ExampleMask::kFlags && !flags_[row * c_.keys + key])
      return never;
    if (mask_ == ExampleMask::kNumbers) score += numbers_[row * c_.keys + key];
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

  const ExampleSizes c_;
  const ExampleMask mask_;
  std::mt19937 random_{1};
  std::vector<float> q_, k_, v_, numbers_, sinks_;
  std::vector<uint8_t> flags_;
  AttentionProblem problem_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_EXAMPLE_H_
