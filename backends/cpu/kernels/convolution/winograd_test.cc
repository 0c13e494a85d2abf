#include "dovetail/backends/cpu/kernels/convolution/winograd.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kBlock = 8;

// Memory at 64 bytes.
class Floats {
 public:
  explicit Floats(int64_t count)
      : data_(static_cast<float*>(::operator new(
            static_cast<size_t>(count) * sizeof(float), kAlignment))),
        size_(count) {
    std::fill(data_, data_ + count, 0.0f);
  }
  ~Floats() { ::operator delete(data_, kAlignment); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;

  float* data() const { return data_; }
  int64_t size() const { return size_; }
  float& operator[](int64_t i) const { return data_[i]; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  float* data_;
  int64_t size_;
};

int64_t Blocks(int64_t channels) { return (channels + kBlock - 1) / kBlock; }

// The place of an element of [N, C / 8, H, W, 8].
int64_t At(int64_t n, int64_t c, int64_t y, int64_t x, int64_t channels,
           int64_t height, int64_t width) {
  return (((n * Blocks(channels) + c / kBlock) * height + y) * width + x) *
             kBlock +
         c % kBlock;
}

double Sum(const WinogradShape& s, const Floats& input,
           const std::vector<float>& weights, int64_t n, int64_t o, int64_t y,
           int64_t x) {
  double sum = 0;
  for (int64_t i = 0; i < s.inputs; ++i) {
    for (int64_t k = 0; k < 9; ++k) {
      const int64_t r = y - s.pad_top + k / 3, c = x - s.pad_left + k % 3;
      if (r < 0 || c < 0 || r >= s.height || c >= s.width) continue;
      sum += static_cast<double>(
                 input[At(n, i, r, c, s.inputs, s.height, s.width)]) *
             weights[(o * s.inputs + i) * 9 + k];
    }
  }
  return sum;
}

struct Case {
  WinogradShape shape;
  bool with_residual;
  float low, high;
};

void Check(const Case& c) {
  const WinogradShape& s = c.shape;
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> values(-1, 1);
  Floats input(s.batch * Blocks(s.inputs) * kBlock * s.height * s.width);
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t i = 0; i < s.inputs; ++i) {
      for (int64_t at = 0; at < s.height * s.width; ++at) {
        input[At(n, i, at / s.width, at % s.width, s.inputs, s.height,
                 s.width)] = values(generator);
      }
    }
  }
  std::vector<float> weights(s.outputs * s.inputs * 9);
  for (float& weight : weights) weight = values(generator);
  Floats bias(Blocks(s.outputs) * kBlock);
  for (int64_t o = 0; o < s.outputs; ++o) bias[o] = values(generator);
  Floats output(s.batch * bias.size() * s.out_height * s.out_width);
  Floats residual(output.size());
  for (int64_t i = 0; i < residual.size(); ++i) residual[i] = values(generator);

  Floats transformed(WinogradWeightsSize(s)), scratch(WinogradScratchSize(s));
  TransformWinogradWeights(s, weights.data(), transformed.data());
  WinogradEpilogue epilogue;
  epilogue.bias = bias.data();
  if (c.with_residual) epilogue.residual = residual.data();
  epilogue.low = c.low;
  epilogue.high = c.high;
  const int64_t step = WinogradTilesAtATime(s);
  for (int64_t first = 0; first < WinogradTiles(s); first += step) {
    ConvolveWinogradTiles(s, first, std::min(step, WinogradTiles(s) - first),
                          input.data(), transformed.data(), epilogue,
                          scratch.data(), output.data());
  }
  const double tolerance = 1e-5 * static_cast<double>(s.inputs);
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.outputs; ++o) {
      for (int64_t y = 0; y < s.out_height; ++y) {
        for (int64_t x = 0; x < s.out_width; ++x) {
          const int64_t at =
              At(n, o, y, x, s.outputs, s.out_height, s.out_width);
          double want = Sum(s, input, weights, n, o, y, x) + bias[o];
          if (c.with_residual) want += residual[at];
          want = std::clamp<double>(want, c.low, c.high);
          ASSERT_NEAR(output[at], want, tolerance)
              << n << " " << o << " " << y << " " << x;
        }
      }
    }
  }
}

TEST(WinogradTest, AgreesWithThePlainSum) {
  if (!HasWinograd()) GTEST_SKIP() << "no vectors of 8 floats";
  const std::vector<Case> cases = {
      {{1, 16, 16, 14, 14, 14, 14, 1, 1}, false, -1e9f, 1e9f},
      {{2, 24, 40, 9, 11, 9, 11, 1, 1}, true, 0, 1e9f},
      {{1, 8, 8, 5, 6, 3, 4, 0, 0}, false, 0, 1},
      {{1, 20, 12, 13, 7, 14, 7, 2, 1}, false, -1, 1},
      {{1, 64, 24, 33, 30, 33, 30, 1, 1}, true, -1e9f, 1e9f},
  };
  for (const Case& c : cases) Check(c);
}

}  // namespace
}  // namespace dovetail::cpu
