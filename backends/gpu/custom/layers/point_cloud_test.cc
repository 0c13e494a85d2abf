// Layers of networks on point clouds: samples, groups, determinants, pillars.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/backends/gpu/custom/layers/run_layer.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

double Squared(const Values& a, int i, const Values& b, int k) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) {
    sum += (a[i * 3 + c] - b[k * 3 + c]) * (a[i * 3 + c] - b[k * 3 + c]);
  }
  return sum;
}

TEST(PointCloudLayersTest, FurthestPoints) {
  const int n = 50, count = 7;
  const Values points = RandomValues(2 * n * 3, 1, -20, 20);
  Values want;
  for (int b = 0; b < 2; ++b) {
    Values distance(n, 1e10);
    int last = 0;
    for (int k = 0; k < count; ++k) {
      want.push_back(last);
      for (int i = 0; i < n; ++i) {
        distance[i] = std::min(
            distance[i], Squared(points, b * n + i, points, b * n + last));
      }
      last =
          static_cast<int>(std::max_element(distance.begin(), distance.end()) -
                           distance.begin());
    }
  }
  ExpectLayer(
      LayerModel("FurthestPointSampling", {"f32[2,50,3]"}, {"i32[2,7]"}),
      "sam/furthest.xml", {points}, {want});
}

TEST(PointCloudLayersTest, GroupsThatDoNotDivide) {
  const Values features = RandomValues(2 * 3 * 10, 1);
  const Values indices = {9, 0, 3, 3, 1, 2, 8, 7};
  Values want;
  for (int b = 0; b < 2; ++b) {
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 4; ++i) {
        want.push_back(
            features[(b * 3 + c) * 10 + static_cast<int>(indices[b * 4 + i])]);
      }
    }
  }
  ExpectLayer(R"(
    %x = Parameter-0() {shape: [2,3,10], element_type: f32}
    %i = Parameter-0() {shape: [2,4], element_type: i64}
    %a = Constant-0() {value: i64[] {2}}
    %y = Gather-8(%x, %i, %a) {batch_dims: 1}
    %o = Result-0(%y) {}
  )",
              "sam/gather.xml", {features, indices}, {want}, &kUnevenGroups);
}

TEST(PointCloudLayersTest, Determinants) {
  const Values m = RandomValues(4 * 9, 1);
  Values want;
  for (int b = 0; b < 4; ++b) {
    const double* x = m.data() + b * 9;
    want.push_back(x[0] * (x[4] * x[8] - x[5] * x[7]) -
                   x[1] * (x[3] * x[8] - x[5] * x[6]) +
                   x[2] * (x[3] * x[7] - x[4] * x[6]));
  }
  ExpectLayer(LayerModel("CustomDet", {"f32[4,3,3]"}, {"f32[4]"}),
              "sam/determinant.xml", {m}, {want});
}

TEST(PointCloudLayersTest, BallQuery) {
  const Values centers = RandomValues(2 * 4 * 3, 1);
  const Values points = RandomValues(2 * 30 * 3, 2);
  Values want;
  for (int i = 0; i < 8; ++i) {
    int count = 0;
    for (int k = 0; k < 30; ++k) {
      count += Squared(centers, i, points, i / 4 * 30 + k) < 1.5 * 1.5;
    }
    want.push_back(count);
  }
  ExpectLayer(
      LayerModel("BallQuery", {"f32[2,4,3]", "f32[2,30,3]"}, {"i32[2,4]"}),
      "sam/ball_query.xml", {centers, points}, {want});
}

TEST(PointCloudLayersTest, GroupingOfFeatures) {
  const Values features = RandomValues(2 * 3 * 10, 1);
  const Values indices = RandomValues(2 * 4 * 5, 2, 0, 9.99);
  Values places, want;
  for (const double index : indices) places.push_back(std::floor(index));
  for (int plane = 0; plane < 6; ++plane) {
    for (int i = 0; i < 20; ++i) {
      const double place = places[plane / 3 * 20 + i];
      want.push_back(features[plane * 10 + static_cast<int>(place)]);
    }
  }
  ExpectLayer(LayerModel("GroupingOperation", {"f32[2,3,10]", "i32[2,4,5]"},
                         {"f32[2,3,4,5]"}),
              "sam/grouping.xml", {features, places}, {want});
}

TEST(PointCloudLayersTest, ScatterOfPillars) {
  const Values features = RandomValues(3 * 4, 1);
  const Values place = {5, 0, 2};
  Values want(4 * 6);
  for (int p = 0; p < 3; ++p) {
    for (int f = 0; f < 4; ++f) {
      want[f * 6 + static_cast<int>(place[p])] = features[p * 4 + f];
    }
  }
  ExpectLayer(LayerModel("PillarScatter", {"f32[3,4]", "i64[3]"}, {"f32[4,6]"}),
              "pillars/scatter.xml", {features, place}, {want});
}

TEST(PointCloudLayersTest, SuppressionOfSegments) {
  const Values segments = {0, 2, 1, 3, 2.5, 4, 10, 11, 3.5, 5, 10.5, 12};
  const Values scores = {6, 5, 4, 3, 2, 1};
  ExpectLayer(
      LayerModel("PillarSuppression", {"f32[6,2]", "f32[6]"}, {"f32[6]"}),
      "pillars/suppress.xml", {segments, scores}, {{6, 0, 4, 3, 0, 0}});
}

}  // namespace
}  // namespace dovetail::gpu
