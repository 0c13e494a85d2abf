// Layers of one step of a language model, which are all in one file.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dovetail/backends/gpu/custom/layers/run_layer.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

constexpr char kFile[] = "decode/decode.xml";

TEST(DecodeLayersTest, WeightsOfFourBits) {
  const int rows = 5, width = 320;
  const Values x = RandomValues(width, 1), scales = RandomValues(rows * 10, 3);
  Values weights = RandomValues(rows * width / 2, 2, 0, 255.9), want;
  for (double& two : weights) two = std::floor(two);
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < width; ++i) {
      const int two = static_cast<int>(weights[row * width / 2 + i / 2]);
      const int weight = (i % 2 == 0 ? two % 16 : two / 16) - 8;
      sum += scales[row * 10 + i / 32] * weight * x[i];
    }
    want.push_back(sum);
  }
  ExpectLayer(
      LayerModel("QuantizedMatVec", {"f32[1,320]", "u8[5,160]", "f16[5,10]"},
                 {"f32[1,1,5,1]"}),
      kFile, {x, weights, scales}, {want});
}

// Pairs (i, i + 4) of [2,3,2,8] turned by the angle of their position.
Values Turned(const Values& x, const Values& cosines, const Values& sines,
              const Values& positions) {
  Values y(x.size());
  for (int at = 0; at < static_cast<int>(x.size()); ++at) {
    const int i = at % 8, t = at / 8 % 2, b = at / 48;
    const int angle = static_cast<int>(positions[b * 2 + t]) * 4 + i % 4;
    const double other = i < 4 ? -x[at + 4] : x[at - 4];
    y[at] = cosines[angle] * x[at] + sines[angle] * other;
  }
  return y;
}

TEST(DecodeLayersTest, RotatedQueriesAndKeys) {
  const Values q = RandomValues(96, 1), k = RandomValues(96, 2);
  const Values positions = {3, 4, 0, 2};
  Values cosines, sines;
  for (int i = 0; i < 20; ++i) {
    cosines.push_back(std::cos(0.3 * i));
    sines.push_back(std::sin(0.3 * i));
  }
  ExpectLayer(LayerModel("RotatedPair",
                         {"f32[2,3,2,8]", "f32[2,3,2,8]", "f32[5,4]",
                          "f32[5,4]", "i32[2,2]"},
                         {"f32[2,3,2,8]", "f32[2,3,2,8]"}),
              kFile, {q, k, cosines, sines, positions},
              {Turned(q, cosines, sines, positions),
               Turned(k, cosines, sines, positions)});
}

TEST(DecodeLayersTest, NormOfRowsBySubGroups) {
  const int rows = 12, n = 40;
  const Values x = RandomValues(rows * n, 1), weights = RandomValues(n, 2);
  Values want;
  for (int at = 0; at < rows * n; ++at) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[at / n * n + i] * x[at / n * n + i];
    want.push_back(x[at] / std::sqrt(sum / n + 0.125) * weights[at % n]);
  }
  ExpectLayer(LayerModel("RowNorm", {"f32[2,2,3,40]", "f16[40]"},
                         {"f32[2,2,3,40]"}, "scale: 0.125"),
              kFile, {x, weights}, {want}, &kSubGroups);
}

// Inputs of DecodeStep by their number.
std::vector<Values> StepInputs() {
  std::vector<Values> inputs;
  for (const int count :
       {64, 64, 64, 4, 1024, 16, 16, 16, 16, 16, 16, 64, 16}) {
    inputs.push_back(RandomValues(count, inputs.size(), -1, 1));
  }
  return inputs;
}

TEST(DecodeLayersTest, AStepOfThirteenInputsAndTwoOutputs) {
  const std::vector<Values> in = StepInputs();
  const auto scaled = [&](int input, int scale, int at) {
    return in[input][at] * in[scale][at % 16] + in[scale + 1][at % 16];
  };
  Values y, next(1024);
  int clamped = 0;
  for (int at = 0; at < 64; ++at) {
    const int head = at / 16, column = at % 16;
    double sum = 0;
    for (int i = 0; i < 16; ++i) {
      const int cell = head * 256 + i * 16 + column;
      next[cell] = in[3][head] * in[4][cell] +
                   scaled(1, 7, head * 16 + i) * scaled(2, 9, at);
      sum += scaled(0, 5, head * 16 + i) * next[cell];
    }
    sum *= in[11][at] * in[12][column];
    y.push_back(std::clamp(sum, -0.5, 0.75));
    clamped += y.back() != sum;
  }
  ASSERT_GT(clamped, 0);
  ASSERT_LT(clamped, 64);
  const std::string head = "f32[2,2,1,16]", scale = "f16[16]";
  ExpectLayer(LayerModel("DecodeStep",
                         {head, head, head, "f32[2,2]", "f32[2,2,16,16]", scale,
                          scale, scale, scale, scale, scale, head, scale},
                         {head, "f32[2,2,16,16]"}, "range: [-0.5, 0.75]"),
              kFile, in, {y, next});
}

}  // namespace
}  // namespace dovetail::gpu
