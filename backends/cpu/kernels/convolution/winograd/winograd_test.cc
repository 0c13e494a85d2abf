#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

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

// How a tensor is stored.
struct Planes {
  int64_t channels, depth, height, width;
  int64_t lanes;  // of a block; 0: channels last

  int64_t blocks() const { return (channels + lanes - 1) / lanes; }
  int64_t size(int64_t batch) const {
    return batch * depth * height * width *
           (lanes == 0 ? channels : blocks() * lanes);
  }
  // The place of an element.
  int64_t At(int64_t n, int64_t c, int64_t z, int64_t y, int64_t x) const {
    const int64_t pixel = (z * height + y) * width + x;
    const int64_t pixels = depth * height * width;
    if (lanes == 0) return (n * pixels + pixel) * channels + c;
    return ((n * blocks() + c / lanes) * pixels + pixel) * lanes + c % lanes;
  }
};

int64_t LanesOf(const WinogradShape& s) { return s.is_blocked ? s.lanes : 0; }

Planes InputOf(const WinogradShape& s) {
  return {s.inputs, s.planes.input, s.rows.input, s.columns.input, LanesOf(s)};
}

Planes OutputOf(const WinogradShape& s) {
  return {s.outputs, s.planes.output, s.rows.output, s.columns.output,
          LanesOf(s)};
}

double Sum(const WinogradShape& s, const Floats& input,
           const std::vector<float>& weights, int64_t n, int64_t o, int64_t z,
           int64_t y, int64_t x) {
  double sum = 0;
  const Planes planes = InputOf(s);
  const int64_t height = s.rows.input, width = s.columns.input;
  const int64_t a_plane = s.rows.kernel * s.columns.kernel;
  const int64_t taps = s.planes.kernel * a_plane;
  for (int64_t i = 0; i < s.inputs; ++i) {
    for (int64_t k = 0; k < taps; ++k) {
      const int64_t p =
          z * s.planes.stride - s.planes.pad + k / a_plane * s.planes.dilation;
      if (p < 0 || p >= s.planes.input) continue;
      const int64_t r =
          y - s.rows.pad + k % a_plane / s.columns.kernel * s.rows.dilation;
      const int64_t c =
          x - s.columns.pad + k % s.columns.kernel * s.columns.dilation;
      if (r < 0 || c < 0 || r >= height || c >= width) continue;
      sum += static_cast<double>(input[planes.At(n, i, p, r, c)]) *
             weights[(o * s.inputs + i) * taps + k];
    }
  }
  return sum;
}

// How tensors are stored: as f32, or what is read, or what is written, as bf16.
struct Storage {
  bool reads_bf16 = false, stores_bf16 = false;
};

using Activation = ConvolutionEpilogue::Activation;

constexpr float kBeta = 0.75f;

double Activate(Activation activation, double x) {
  switch (activation) {
    case Activation::kSwish:
      return x / (1 + std::exp(-kBeta * x));
    case Activation::kHSwish:
      return x * std::clamp(x + 3, 0.0, 6.0) / 6;
    case Activation::kSlope:
      return x < 0 ? kBeta * x : x;
    default:
      return x;
  }
}

struct Case {
  WinogradShape shape;
  bool with_residual;
  float low, high;
  Storage storage = {};
  Activation activation = Activation::kNone;
};

// Cuts numbers to those that bf16 has, and gives them as such.
std::vector<uint16_t> MakeNarrow(const Floats& numbers) {
  std::vector<uint16_t> narrow(numbers.size());
  for (int64_t i = 0; i < numbers.size(); ++i) {
    const auto bits = std::bit_cast<uint32_t>(numbers[i]);
    narrow[i] = static_cast<uint16_t>(bits >> 16);
    numbers[i] = std::bit_cast<float>(bits & 0xffff0000u);
  }
  return narrow;
}

void Widen(const std::vector<uint16_t>& narrow, const Floats& numbers) {
  for (size_t i = 0; i < narrow.size(); ++i) {
    numbers[i] = std::bit_cast<float>(uint32_t{narrow[i]} << 16);
  }
}

void Check(const Case& c) {
  const WinogradShape& s = c.shape;
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> values(-1, 1);
  const int64_t width = s.columns.input, size = s.rows.input * width;
  const Planes in = InputOf(s), out = OutputOf(s);
  Floats input(in.size(s.batch));
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t i = 0; i < s.inputs; ++i) {
      for (int64_t at = 0; at < s.planes.input * size; ++at) {
        input[in.At(n, i, at / size, at % size / width, at % width)] =
            values(generator);
      }
    }
  }
  std::vector<float> weights(s.outputs * s.summed() * s.rows.kernel *
                             s.columns.kernel);
  for (float& weight : weights) weight = values(generator);
  Floats bias(s.output_blocks() * s.lanes);
  for (int64_t o = 0; o < s.outputs; ++o) bias[o] = values(generator);
  Floats slope(bias.size());
  for (int64_t o = 0; o < s.outputs; ++o) slope[o] = values(generator);
  Floats output(out.size(s.batch));
  Floats residual(output.size());
  for (int64_t i = 0; i < residual.size(); ++i) residual[i] = values(generator);

  // Outputs in two parts where there are groups for that.
  const int64_t step = WinogradTilesAtATime(s), groups = WinogradGroups(s);
  Floats transformed(WinogradWeightsSize(s));
  Floats scratch(WinogradScratchSize(s, {0, step, 0, groups}));
  for (int64_t group = 0; group < groups; ++group) {
    TransformWinogradWeights(s, group, weights.data(), transformed.data());
  }
  ConvolutionOperands operands;
  operands.weights = transformed.data();
  operands.epilogue.bias = bias.data();
  if (!c.with_residual) operands.epilogue.slope = slope.data();
  operands.epilogue.activation = c.activation;
  operands.epilogue.beta = kBeta;
  operands.epilogue.low = c.low;
  operands.epilogue.high = c.high;
  std::vector<uint16_t> narrow_input, narrow_residual;
  std::vector<uint16_t> narrow_output(output.size());
  if (c.storage.reads_bf16) {
    narrow_input = MakeNarrow(input);
    operands.narrow_input = narrow_input.data();
  } else {
    operands.input = input.data();
  }
  if (c.storage.stores_bf16) {
    narrow_residual = MakeNarrow(residual);
    if (c.with_residual) operands.narrow_residual = narrow_residual.data();
    operands.narrow_output = narrow_output.data();
  } else {
    if (c.with_residual) operands.epilogue.residual = residual.data();
    operands.output = output.data();
  }
  for (int64_t first = 0; first < WinogradTiles(s); first += step) {
    const int64_t tiles = std::min(step, WinogradTiles(s) - first);
    for (const WinogradPart& part :
         {WinogradPart{first, tiles, 0, groups / 2},
          WinogradPart{first, tiles, groups / 2, groups - groups / 2}}) {
      if (part.groups == 0) continue;
      ConvolveWinograd(s, part, operands, scratch.data());
    }
  }
  if (c.storage.stores_bf16) Widen(narrow_output, output);
  const double sums =
      1e-6 * static_cast<double>(s.summed() * s.rows.kernel * s.columns.kernel);
  const double rounding = c.storage.stores_bf16 ? std::ldexp(1, -8) : 0;
  const int64_t across = s.columns.output, a_plane = s.rows.output * across;
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.outputs; ++o) {
      for (int64_t i = 0; i < s.planes.output * a_plane; ++i) {
        const int64_t z = i / a_plane, y = i % a_plane / across, x = i % across;
        const int64_t at = out.At(n, o, z, y, x);
        double want = Activate(c.activation,
                               Sum(s, input, weights, n, o, z, y, x) + bias[o]);
        if (c.with_residual) want += residual[at];
        if (!c.with_residual && want < 0) want *= slope[o];
        want = std::clamp<double>(want, c.low, c.high);
        ASSERT_NEAR(output[at], want, sums + rounding * std::abs(want))
            << n << " " << o << " " << z << " " << y << " " << x;
      }
    }
  }
}

const std::vector<Case>& Cases() {
  // Batch, inputs, outputs; of rows, columns and planes input, output, kernel,
  // stride, dilation, pad.
  static const auto& cases = *new std::vector<Case>{
      {{1, 16, 16, {14, 14, 3, 1, 1, 1}, {14, 14, 3, 1, 1, 1}},
       false,
       -1e9f,
       1e9f},
      {{2, 24, 40, {9, 9, 3, 1, 1, 1}, {11, 11, 3, 1, 1, 1}}, true, 0, 1e9f},
      {{1, 8, 8, {5, 3, 3, 1, 1, 0}, {6, 4, 3, 1, 1, 0}}, false, 0, 1},
      {{1, 20, 12, {13, 14, 3, 1, 1, 2}, {7, 7, 3, 1, 1, 1}}, false, -1, 1},
      {{1, 64, 24, {33, 33, 3, 1, 1, 1}, {30, 30, 3, 1, 1, 1}},
       true,
       -1e9f,
       1e9f},
      {{1, 13, 50, {12, 8, 5, 1, 1, 0}, {12, 8, 5, 1, 1, 0}}, true, -9, 9},
      {{2, 9, 33, {7, 6, 4, 1, 1, 1}, {9, 8, 4, 1, 1, 1}}, false, -9, 9},
      {{1, 24, 64, {1, 1, 1, 1, 1, 0}, {37, 37, 3, 1, 4, 8}}, false, -9, 9},
      {{1, 11, 16, {1, 1, 1, 1, 1, 0}, {30, 33, 3, 1, 7, 5}}, true, -9, 9},
      {{2, 8, 17, {21, 20, 2, 1, 1, 0}, {3, 3, 1, 1, 1, 0}}, false, -9, 9},
      {{1, 17, 25, {19, 19, 3, 1, 6, 6}, {5, 5, 1, 1, 1, 0}}, false, -9, 9},
      {{1, 16, 16, {33, 33, 3, 1, 12, 12}, {20, 20, 3, 1, 5, 5}}, false, -9, 9},
      {{1, 40, 72, {4, 4, 5, 1, 2, 4}, {9, 9, 5, 1, 3, 6}}, true, -9, 9},
      {{2, 16, 24, {9, 9, 3, 1, 1, 1}, {8, 8, 3, 1, 1, 1}, {5, 3, 3, 2, 1, 1}},
       false,
       -9,
       9},
      {{1, 32, 40, {7, 5, 3, 1, 1, 0}, {6, 6, 3, 1, 1, 1}, {7, 9, 2, 1, 3, 3}},
       true,
       -9,
       9},
      {{2, 12, 17, {6, 6, 3, 1, 1, 1}, {8, 8, 3, 1, 1, 1}, {4, 4}}, true, 0, 9},
  };
  return cases;
}

void CheckAll(const Storage& storage,
              Activation activation = Activation::kNone) {
  for (const bool is_blocked : {true, false}) {
    for (const int64_t tile : {6, 4}) {
      for (Case c : Cases()) {
        WinogradShape& shape = c.shape;
        if (std::max(shape.rows.kernel, shape.columns.kernel) >= tile) continue;
        shape.rows.tile = shape.columns.tile = tile;
        shape.lanes = WinogradLanes();
        shape.is_blocked = is_blocked;
        c.storage = storage;
        c.activation = activation;
        Check(c);
      }
    }
  }
}

TEST(WinogradTest, AgreesWithThePlainSum) {
  if (WinogradLanes() == 0) GTEST_SKIP() << "no vectors of 8 floats";
  CheckAll({});
}

TEST(WinogradTest, ActivatesBeforeAResidual) {
  if (WinogradLanes() == 0) GTEST_SKIP() << "no vectors of 8 floats";
  CheckAll({}, Activation::kSwish);
  CheckAll({}, Activation::kHSwish);
  CheckAll({}, Activation::kSlope);
}

TEST(WinogradTest, ReadsAndStoresBf16) {
  if (WinogradLanes() != 16) GTEST_SKIP() << "no vectors of 16 floats";
  CheckAll({.reads_bf16 = true, .stores_bf16 = true});
  CheckAll({.reads_bf16 = true, .stores_bf16 = true}, Activation::kSwish);
  CheckAll({.reads_bf16 = true});
  CheckAll({.stores_bf16 = true});
}

}  // namespace
}  // namespace dovetail::cpu
