#include "dovetail/backends/cpu/kernels/convolution/few_channels.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using Result = FewChannelsShape::Result;
using Source = FewChannelsShape::Source;

struct AlignedDelete {
  void operator()(float* data) const {
    ::operator delete (data, std::align_val_t{64});
  }
};

std::vector<float> Random(int64_t count, std::mt19937& generator) {
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = values(generator);
  return numbers;
}

int64_t InputAt(const FewChannelsShape& s, int64_t n, int64_t c, int64_t y,
                int64_t x) {
  if (s.source != Source::kPlanar) {
    return ((n * s.rows.input + y) * s.columns.input + x) * s.inputs + c;
  }
  return ((n * s.inputs + c) * s.rows.input + y) * s.columns.input + x;
}

// Bytes, and in place of the floats those that they stand for.
std::vector<uint8_t> BytesFor(const FewChannelsShape& s,
                              std::vector<float>& floats) {
  std::vector<uint8_t> bytes(floats.size());
  if (s.source != Source::kBytes) return bytes;
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(127.5f + 127.5f * floats[i]);
    const size_t c = i % s.inputs;
    floats[i] = (bytes[i] + s.added[c]) * s.factors[c];
  }
  return bytes;
}

double Sum(const FewChannelsShape& s, const std::vector<float>& input,
           const std::vector<float>& weights, int64_t n, int64_t o, int64_t y,
           int64_t x) {
  double sum = 0;
  const float* weight = weights.data() + o * s.taps();
  for (int64_t c = 0; c < s.inputs; ++c) {
    for (int64_t r = 0; r < s.rows.kernel; ++r) {
      for (int64_t k = 0; k < s.columns.kernel; ++k, ++weight) {
        const int64_t iy = y * s.rows.stride - s.rows.pad + r * s.rows.dilation;
        const int64_t ix =
            x * s.columns.stride - s.columns.pad + k * s.columns.dilation;
        if (iy < 0 || ix < 0 || iy >= s.rows.input || ix >= s.columns.input) {
          continue;
        }
        sum += static_cast<double>(input[InputAt(s, n, c, iy, ix)]) * *weight;
      }
    }
  }
  return sum;
}

void Check(const FewChannelsShape& s, int threads, bool with_residual) {
  std::mt19937 generator(5);
  const int64_t lanes = FewChannelsConvolution::Lanes();
  const int64_t block = s.result == Result::kBlocked ? lanes : 1;
  const int64_t outputs = (s.outputs + block - 1) / block * block;
  const int64_t padded = (s.outputs + lanes - 1) / lanes * lanes;
  const int64_t places = s.rows.output * s.columns.output;
  auto input =
      Random(s.batch * s.inputs * s.rows.input * s.columns.input, generator);
  const std::vector<uint8_t> bytes = BytesFor(s, input);
  const auto weights = Random(s.outputs * s.taps(), generator);
  auto bias = Random(padded, generator), slope = Random(padded, generator);
  std::fill(bias.begin() + s.outputs, bias.end(), 0.0f);
  const auto residual = Random(s.batch * outputs * places, generator);
  // Behind the results nothing may be written.
  constexpr float kUntouched = 77;
  std::vector<float> output(residual.size() + 8, kUntouched);

  constexpr int64_t kLeastProducts = 5000;
  const FewChannelsConvolution convolution(s, threads, kLeastProducts);
  const std::unique_ptr<float, AlignedDelete> packed(
      static_cast<float*>(::operator new (
          convolution.weights_floats() * sizeof(float), std::align_val_t{64})));
  convolution.PackWeights(weights.data(), packed.get());
  std::vector<float> scratch(convolution.scratch_floats());
  ConvolutionOperands operands;
  operands.input = s.source == Source::kBytes
                       ? reinterpret_cast<const float*>(bytes.data())
                       : input.data();
  operands.weights = packed.get();
  operands.epilogue.bias = bias.data();
  operands.epilogue.slope = slope.data();
  if (with_residual) operands.epilogue.residual = residual.data();
  operands.epilogue.low = -2;
  operands.output = output.data();
  const int64_t half = convolution.work_item_count() / 2;
  convolution.Run(operands, 0, half, scratch.data());
  convolution.Run(operands, half, convolution.work_item_count() - half,
                  scratch.data());
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t o = 0; o < s.outputs; ++o) {
      for (int64_t i = 0; i < places; ++i) {
        const int64_t at =
            s.result == Result::kChannelsLast
                ? (n * places + i) * outputs + o
                : ((n * outputs + o / block * block) * places + i * block) +
                      o % block;
        double want = Sum(s, input, weights, n, o, i / s.columns.output,
                          i % s.columns.output) +
                      bias[o];
        if (with_residual) want += residual[at];
        if (want < 0) want *= slope[o];
        ASSERT_NEAR(output[at], std::max(want, -2.0), 1e-4)
            << n << " " << o << " " << i;
      }
    }
  }
  for (size_t i = residual.size(); i < output.size(); ++i) {
    ASSERT_EQ(output[i], kUntouched);
  }
}

TEST(FewChannelsTest, AgreesWithThePlainSum) {
  if (FewChannelsConvolution::Lanes() == 0) {
    GTEST_SKIP() << "no vectors of 8 floats";
  }
  // Batch, inputs, outputs; of each axis input, output, kernel, stride,
  // dilation, pad; the result's layout.
  const std::vector<FewChannelsShape> shapes = {
      {1, 1, 20, {28, 24, 5, 1, 1, 0}, {28, 24, 5, 1, 1, 0}, Result::kBlocked},
      {2, 3, 16, {17, 17, 3, 1, 1, 1}, {13, 13, 3, 1, 1, 1}, Result::kBlocked},
      {1, 3, 40, {30, 15, 7, 2, 1, 3}, {31, 16, 7, 2, 1, 3}, Result::kBlocked},
      {1, 2, 5, {9, 4, 2, 3, 2, 1}, {20, 7, 4, 3, 1, 2}, Result::kBlocked},
      {1, 3, 24, {8, 2, 4, 4, 1, 0}, {12, 3, 4, 4, 1, 0}, Result::kBlocked},
      {1, 1, 9, {1, 1, 1, 1, 1, 0}, {40, 44, 3, 1, 4, 6}, Result::kBlocked},
      {1, 4, 1, {19, 19, 3, 1, 1, 1}, {75, 75, 3, 1, 1, 1}, Result::kPlanar},
      {2, 1, 4, {12, 12, 3, 1, 1, 1}, {30, 30, 3, 1, 1, 1}, Result::kPlanar},
      {1, 4, 7, {12, 10, 5, 1, 1, 1}, {50, 48, 3, 1, 1, 0}, Result::kPlanar},
      {1, 3, 6, {20, 7, 3, 2, 3, 0}, {9, 9, 5, 1, 2, 4}, Result::kPlanar},
      {1, 2, 9, {4, 4, 3, 1, 1, 1}, {250, 250, 3, 1, 1, 1}, Result::kPlanar},
      {1, 2, 3, {3, 4, 3, 1, 1, 2}, {2, 3, 3, 1, 1, 1}, Result::kPlanar},
      {1, 5, 2, {6, 6, 3, 1, 1, 1}, {40, 40, 3, 1, 1, 1}, Result::kPlanar},
  };
  for (const FewChannelsShape& shape : shapes) {
    for (const int threads : {1, 2}) {
      Check(shape, threads, false);
      Check(shape, threads, true);
    }
    FewChannelsShape from_last = shape;
    from_last.source = Source::kChannelsLast;
    Check(from_last, 2, false);
    from_last.source = Source::kBytes;
    for (int64_t c = 0; c < shape.inputs; ++c) {
      from_last.added.push_back(-120.5f + c);
      from_last.factors.push_back(0.01f / (1 + c));
    }
    Check(from_last, 2, false);
    if (shape.result != Result::kBlocked) continue;
    FewChannelsShape last = shape;
    last.result = Result::kChannelsLast;
    Check(last, 2, true);
  }
}

}  // namespace
}  // namespace dovetail::cpu
