// Layers of networks that find where objects are and how they are turned.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "dovetail/backends/gpu/custom/layers/run_layer.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using Matrix = std::array<double, 9>;

// Bilinear, and the nearest pixel beyond the edge.
double Sample(const Values& picture, int rows, int columns, int channel,
              double row, double column) {
  double sum = 0;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const double y = std::clamp(row, 0.0, rows - 1.0);
      const double x = std::clamp(column, 0.0, columns - 1.0);
      const double part = std::max(0.0, 1 - std::abs(y - r)) *
                          std::max(0.0, 1 - std::abs(x - c));
      sum += part * picture[(r * columns + c) * 3 + channel];
    }
  }
  return sum;
}

TEST(PoseLayersTest, ABoxOfAPictureOfBytes) {
  const int rows = 12, columns = 10, side = 6;
  Values picture = RandomValues(rows * columns * 3, 1, 0, 255.9);
  for (double& value : picture) value = std::floor(value);
  const Values box = {-1.5, 4, 9, 10.5};
  Values want;
  for (int channel = 0; channel < 3; ++channel) {
    for (int i = 0; i < side * side; ++i) {
      const double row = box[1] + (i / side + 0.5) * box[3] / side - 0.5;
      const double column = box[0] + (i % side + 0.5) * box[2] / side - 0.5;
      const double value = Sample(picture, rows, columns, channel, row, column);
      want.push_back((value - 127.5) * 0.0078125);
    }
  }
  ExpectLayer(LayerModel("Preprocess", {"u8[12,10,3]", "f32[4]"},
                         {"f32[1,3,6,6]"}, "size: 6, scale: 0.0078125"),
              "cdpn/preprocess.xml", {picture, box}, {want});
}

TEST(PoseLayersTest, PlacesFromBoxes) {
  const Values shift = RandomValues(9, 1), center = RandomValues(6, 2, 0, 64),
               size = RandomValues(3, 3, 8, 32), camera = {500, 480, 32, 24},
               ratio = RandomValues(3, 4, 0.5, 2);
  Values want;
  for (int i = 0; i < 3; ++i) {
    const double z = shift[i * 3 + 2] * ratio[i] * 1.5;
    for (int axis = 0; axis < 2; ++axis) {
      const double pixel = center[i * 2 + axis] + shift[i * 3 + axis] * size[i];
      want.push_back((pixel - camera[2 + axis]) / camera[axis] * z);
    }
    want.push_back(z);
  }
  ExpectLayer(
      LayerModel("TransDecode",
                 {"f32[3,3]", "f32[3,2]", "f32[3,1]", "f32[4]", "f32[3]"},
                 {"f32[3,3]"}, "scale: 1.5"),
      "cdpn/trans_decode.xml", {shift, center, size, camera, ratio}, {want});
}

Matrix Times(const Matrix& a, const Matrix& b) {
  Matrix c = {};
  for (int i = 0; i < 27; ++i) {
    c[i / 9 * 3 + i % 3] += a[i / 9 * 3 + i / 3 % 3] * b[i / 3 % 3 * 3 + i % 3];
  }
  return c;
}

// Around two axes.
Matrix Rotation(double alpha, double beta) {
  const double c = std::cos(alpha), s = std::sin(alpha);
  const double d = std::cos(beta), t = std::sin(beta);
  return Times({c, -s, 0, s, c, 0, 0, 0, 1}, {1, 0, 0, 0, d, -t, 0, t, d});
}

// Matrices of known singular values and vectors.
struct Decomposition {
  Values a, u, v;
};

Decomposition KnownVectors() {
  const Matrix values[] = {{5, 0, 0, 0, 2, 0, 0, 0, 0.5},
                           {3, 0, 0, 0, 1, 0, 0, 0, 0.25},
                           {9, 0, 0, 0, 8, 0, 0, 0, 4}};
  Decomposition all;
  for (int i = 0; i < 3; ++i) {
    Matrix u = Rotation(0.3 + i, 0.7 - i), v = Rotation(1.1 * i - 0.4, 0.9 + i);
    for (int column = 0; column < 3; ++column) {
      double most = 0;
      for (int row = 0; row < 3; ++row) {
        const double value = v[row * 3 + column];
        if (std::abs(value) > std::abs(most)) most = value;
      }
      for (int row = 0; row < 3 && most < 0; ++row) {
        u[row * 3 + column] *= -1;
        v[row * 3 + column] *= -1;
      }
    }
    const Matrix turned = {v[0], v[3], v[6], v[1], v[4],
                           v[7], v[2], v[5], v[8]};
    const Matrix a = Times(Times(u, values[i]), turned);
    all.a.insert(all.a.end(), a.begin(), a.end());
    all.u.insert(all.u.end(), u.begin(), u.end());
    all.v.insert(all.v.end(), v.begin(), v.end());
  }
  return all;
}

TEST(PoseLayersTest, LeftSingularVectors) {
  const Decomposition known = KnownVectors();
  ExpectLayer(LayerModel("CustomSVDu", {"f32[3,3,3]"}, {"f32[3,3,3]"}),
              "sam/svd_u.xml", {known.a}, {known.u});
}

TEST(PoseLayersTest, RightSingularVectors) {
  const Decomposition known = KnownVectors();
  ExpectLayer(LayerModel("CustomSVDv", {"f32[3,3,3]"}, {"f32[3,3,3]"}),
              "sam/svd_v.xml", {known.a}, {known.v});
}

}  // namespace
}  // namespace dovetail::gpu
