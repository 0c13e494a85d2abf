// Layers with groups, sub-groups, states and several outputs.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/backends/gpu/custom/layers/run_layer.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

TEST(NetworkLayersTest, TwoOutputs) {
  const Values x = RandomValues(4 * 5, 1);
  Values pixels, mask;
  for (int i = 0; i < 10; ++i) {
    pixels.push_back(x[i] * 640);
    mask.push_back(x[10 + i] >= 0 && x[10 + i] < 1.5 ? 1 : 0);
  }
  ExpectLayer(LayerModel("CoordDenorm", {"f32[4,5]"}, {"f32[2,5]", "f32[2,5]"},
                         "size: 640, scale: 1.5"),
              "cdpn/coord_denorm.xml", {x}, {pixels, mask});
}

TEST(NetworkLayersTest, FourOutputsByOneWorkItem) {
  const Values x = RandomValues(4 * 6, 1);
  std::vector<Values> want(4);
  for (int i = 0; i < 6; ++i) {
    want[0].push_back(x[i] + x[6 + i]);
    want[1].push_back(x[i] - x[6 + i]);
    want[2].push_back(x[12 + i] * x[18 + i]);
    want[3].push_back(i);
  }
  ExpectLayer(LayerModel("PnpSolve", {"f32[4,6]"},
                         {"f32[1,6]", "f32[1,6]", "f32[1,6]", "f32[1,6]"}),
              "cdpn/solve.xml", {x}, want);
}

TEST(NetworkLayersTest, InstanceNormOfSubGroups) {
  const int channels = 6, n = 24;
  const Values x = RandomValues(channels * n, 1);
  const Values scale = RandomValues(3, 2), shift = RandomValues(3, 3);
  Values want;
  for (int c = 0; c < channels; ++c) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      sum += x[c * n + i];
      squares += x[c * n + i] * x[c * n + i];
    }
    const double mean = sum / n, variance = squares / n - mean * mean;
    for (int i = 0; i < n; ++i) {
      const double normal = (x[c * n + i] - mean) / std::sqrt(variance + 1e-5);
      want.push_back(std::max(0.0, normal * scale[c % 3] + shift[c % 3]));
    }
  }
  Values repeated_scale = scale, repeated_shift = shift;
  repeated_scale.insert(repeated_scale.end(), scale.begin(), scale.end());
  repeated_shift.insert(repeated_shift.end(), shift.begin(), shift.end());
  ExpectLayer(LayerModel("InstanceNorm", {"f32[6,1,24]", "f32[6]", "f32[6]"},
                         {"f32[6,1,24]"}),
              "instance_norm/instance_norm.xml",
              {x, repeated_scale, repeated_shift}, {want}, &kSubGroups);
}

TEST(NetworkLayersTest, ScanOfLinearAttention) {
  const int times = 5, width = 4, columns = 3;
  const Values q = RandomValues(2 * times * width, 1, -1, 1);
  const Values k = RandomValues(2 * times * width, 2, -1, 1);
  const Values v = RandomValues(2 * times * columns, 3, -1, 1);
  const Values decay = RandomValues(2 * times, 4, 0, 1);
  Values want(2 * times * columns);
  for (int at = 0; at < 2 * columns; ++at) {
    const int b = at / columns, column = at % columns;
    std::vector<double> state(width);
    for (int t = 0; t < times; ++t) {
      const int row = b * times + t;
      for (int i = 0; i < width; ++i) {
        state[i] = state[i] * decay[row] +
                   k[row * width + i] * v[row * columns + column];
        want[row * columns + column] += q[row * width + i] * state[i];
      }
    }
  }
  ExpectLayer(LayerModel("KdaScan",
                         {"f32[2,5,4]", "f32[2,5,4]", "f32[2,5,3]", "f32[2,5]"},
                         {"f32[2,5,3]"}),
              "kda/scan.xml", {q, k, v, decay}, {want});
}

TEST(NetworkLayersTest, ReciprocalRootOfMeanSquares) {
  const int rows = 3, n = 100;
  const Values x = RandomValues(rows * n, 1);
  Values want;
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[r * n + i] * x[r * n + i];
    want.push_back(1 / std::sqrt(sum / n + 0.125));
  }
  ExpectLayer(LayerModel("ReciprocalRms", {"f16[3,100]", "f32[1]"}, {"f32[3]"}),
              "rms/rms.xml", {x, {0.125}}, {want});
}

TEST(NetworkLayersTest, SparseTernaryWeights) {
  const Values x = RandomValues(2 * 8, 1);
  const Values indices = {0, 7, 3, 2, 2, 5}, weights = {1, -1, 1, 0, 1, -1};
  Values want;
  for (int row = 0; row < 2; ++row) {
    for (int out = 0; out < 3; ++out) {
      double sum = 0;
      for (int t = out * 2; t < out * 2 + 2; ++t) {
        sum += weights[t] * x[row * 8 + static_cast<int>(indices[t])];
      }
      want.push_back(sum);
    }
  }
  ExpectLayer(LayerModel("TernarySparse", {"f32[2,8]", "i32[3,2]", "f32[3,2]"},
                         {"f32[2,3]"}),
              "sparse/ternary.xml", {x, indices, weights}, {want});
}

}  // namespace
}  // namespace dovetail::gpu
