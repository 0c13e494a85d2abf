#include "dovetail/backends/cpu/kernels/convolution/gathered/gathered.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kLanes = GatheredShape::kLanes;

std::vector<float> Random(int64_t count, std::mt19937& generator) {
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = values(generator);
  return numbers;
}

// Memory that begins with a cache line.
class Aligned {
 public:
  explicit Aligned(int64_t count) : memory_(count + kLine) {}
  float* get() {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    return memory_.data() + (64 - address % 64) % 64 / sizeof(float);
  }

 private:
  static constexpr int64_t kLine = 16;
  std::vector<float> memory_;
};

class Problem {
 public:
  explicit Problem(const GatheredShape& shape)
      : s_(shape),
        input_(Random(s_.batch * s_.input_blocks() * InputPixels() * kLanes,
                      generator_)),
        weights_(Random(s_.outputs * s_.inputs * s_.taps(), generator_)),
        bias_(Random(s_.output_blocks() * kLanes, generator_)),
        output_(Random(s_.batch * s_.output_blocks() * s_.pixels() * kLanes,
                       generator_)),
        residual_(output_) {
    for (int64_t i = 0; i < static_cast<int64_t>(input_.size()); ++i) {
      const int64_t block = i / (InputPixels() * kLanes) % s_.input_blocks();
      if (block * kLanes + i % kLanes >= s_.inputs) input_[i] = 0;
    }
  }

  // In parts of so many pixels and groups; the output is the residual, too.
  void Compute(int64_t pixels, int64_t groups) {
    Aligned packed(GatheredWeightsSize(s_));
    PackGatheredWeights(s_, weights_.data(), packed.get());
    ConvolutionOperands operands;
    operands.input = input_.data();
    operands.weights = packed.get();
    operands.epilogue.bias = bias_.data();
    operands.epilogue.residual = output_.data();
    operands.epilogue.low = -0.5f;
    operands.output = output_.data();
    for (int64_t n = 0; n < s_.batch; ++n) {
      for (int64_t p = 0; p < s_.pixels(); p += pixels) {
        for (int64_t g = 0; g < GatheredGroups(s_); g += groups) {
          const GatheredPart part = {n, p, std::min(pixels, s_.pixels() - p), g,
                                     std::min(groups, GatheredGroups(s_) - g)};
          Aligned scratch(GatheredScratchSize(s_, part));
          ConvolveGathered(s_, part, operands, scratch.get());
        }
      }
    }
  }

  void Check() const {
    for (int64_t n = 0; n < s_.batch; ++n) {
      for (int64_t o = 0; o < s_.outputs; ++o) {
        for (int64_t p = 0; p < s_.pixels(); ++p) {
          const int64_t at =
              ((n * s_.output_blocks() + o / kLanes) * s_.pixels() + p) *
                  kLanes +
              o % kLanes;
          const double want =
              std::max(-0.5, Sum(n, o, p) + bias_[o] + residual_[at]);
          ASSERT_NEAR(output_[at], want, 1e-4) << n << " " << o << " " << p;
        }
      }
    }
  }

 private:
  int64_t InputPixels() const { return s_.rows.input * s_.columns.input; }

  double Sum(int64_t n, int64_t o, int64_t p) const {
    double sum = 0;
    for (int64_t t = 0; t < s_.taps(); ++t) {
      const int64_t y =
          At(s_.rows, p / s_.columns.output, t / s_.columns.kernel);
      const int64_t x =
          At(s_.columns, p % s_.columns.output, t % s_.columns.kernel);
      if (y < 0 || x < 0 || y >= s_.rows.input || x >= s_.columns.input) {
        continue;
      }
      for (int64_t c = 0; c < s_.inputs; ++c) {
        const int64_t block = n * s_.input_blocks() + c / kLanes;
        const int64_t pixel = block * InputPixels() + y * s_.columns.input + x;
        sum +=
            static_cast<double>(weights_[(o * s_.inputs + c) * s_.taps() + t]) *
            input_[pixel * kLanes + c % kLanes];
      }
    }
    return sum;
  }

  static int64_t At(const WindowAxis& axis, int64_t output, int64_t tap) {
    return output * axis.stride + tap * axis.dilation - axis.pad;
  }

  std::mt19937 generator_{5};
  const GatheredShape s_;
  std::vector<float> input_, weights_, bias_, output_;
  const std::vector<float> residual_;
};

TEST(GatheredTest, AgreesWithThePlainSum) {
  if (!HasWideVectors()) GTEST_SKIP() << "no vectors of 8 floats";
  // Batch, inputs, outputs, and of rows and columns: input, output, kernel,
  // stride, dilation, padding before.
  const GatheredShape shapes[] = {
      {1, 40, 24, {7, 4, 1, 2, 1, 0}, {7, 4, 1, 2, 1, 0}},
      {2, 280, 20, {3, 3, 1, 1, 1, 0}, {5, 5, 1, 1, 1, 0}},
      {1, 44, 40, {9, 5, 3, 2, 1, 1}, {8, 4, 3, 2, 1, 1}},
      {1, 9, 8, {6, 6, 3, 1, 2, 2}, {7, 7, 5, 1, 1, 2}},
      {1, 16, 56, {1, 1, 1, 1, 1, 0}, {20, 10, 4, 2, 1, 1}},
      {1, 8, 16, {2, 4, 1, 1, 1, 1}, {2, 4, 1, 1, 1, 1}},
      {1, 8, 16, {4, 2, 3, 3, 1, 1}, {1, 1, 3, 3, 1, 1}},
  };
  for (const GatheredShape& shape : shapes) {
    for (const int64_t pixels : {3, 16, 1000}) {
      for (const int64_t groups : {1, 2, 100}) {
        Problem problem(shape);
        problem.Compute(pixels, groups);
        problem.Check();
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
