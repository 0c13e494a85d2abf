// Layers of a network on pillars of a point cloud, from points to boxes. Each
// is given what the layers before it would give.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "dovetail/backends/gpu/custom/layers/run_layer.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

constexpr int kPoints = 40, kColumns = 4, kCells = 32, kPillars = 6,
              kInPillar = 3;
constexpr double kCell = 0.5, kMinY = -2;

Values Points() { return RandomValues(kPoints * 4, 1, -0.5, 2); }

Values CellsOf(const Values& points) {
  Values cells;
  for (int i = 0; i < kPoints; ++i) {
    const double column = std::floor(points[i * 4] / kCell);
    const double row = std::floor((points[i * 4 + 1] - kMinY) / kCell);
    const bool is_inside =
        0 <= column && column < kColumns && 0 <= row && row < kCells / kColumns;
    cells.push_back(is_inside ? row * kColumns + column : -1);
  }
  return cells;
}

Values CountsOf(const Values& cells) {
  Values counts(kCells);
  for (const double cell : cells) {
    if (cell >= 0) ++counts[static_cast<int>(cell)];
  }
  return counts;
}

Values PillarsOf(const Values& counts, int most) {
  Values pillars;
  for (int cell = 0; cell < kCells; ++cell) {
    if (counts[cell] > 0) pillars.push_back(cell);
  }
  pillars.resize(most, -1);
  return pillars;
}

// The rows of points in each pillar, as many as it holds.
std::vector<std::vector<int>> RowsOf(const Values& cells,
                                     const Values& pillars) {
  std::vector<std::vector<int>> rows(pillars.size());
  for (size_t p = 0; p < pillars.size(); ++p) {
    for (int i = 0; i < kPoints; ++i) {
      const bool is_there = pillars[p] >= 0 && cells[i] == pillars[p];
      if (is_there && rows[p].size() < kInPillar) rows[p].push_back(i);
    }
  }
  return rows;
}

Values FilledOf(const Values& points,
                const std::vector<std::vector<int>>& rows) {
  Values filled;
  for (const std::vector<int>& pillar : rows) {
    for (const int row : pillar) {
      filled.insert(filled.end(), points.begin() + row * 4,
                    points.begin() + row * 4 + 4);
    }
    filled.resize(filled.size() + (kInPillar - pillar.size()) * 4);
  }
  return filled;
}

Values SizesOf(const std::vector<std::vector<int>>& rows) {
  Values sizes;
  for (const auto& pillar : rows) sizes.push_back(pillar.size());
  return sizes;
}

TEST(PillarLayersTest, CellsOfPoints) {
  const Values points = Points();
  ExpectLayer(LayerModel("VoxelCells", {"f32[40,4]"}, {"i32[40]"}),
              "pillars/voxelize.xml", {points}, {CellsOf(points)});
}

TEST(PillarLayersTest, PointsInCells) {
  const Values cells = CellsOf(Points());
  ExpectLayer(LayerModel("VoxelCounts", {"i32[40]"}, {"i32[32]"}),
              "pillars/voxelize.xml", {cells}, {CountsOf(cells)});
}

TEST(PillarLayersTest, CellsThatHavePoints) {
  const Values counts = CountsOf(CellsOf(Points()));
  const double used =
      std::count_if(counts.begin(), counts.end(), [](double n) { return n; });
  ASSERT_GT(used, kPillars);
  ExpectLayer(LayerModel("VoxelPillars", {"i32[32]"}, {"i32[6]", "i32[1]"}),
              "pillars/voxelize.xml", {counts},
              {PillarsOf(counts, kPillars), {kPillars}});
  ExpectLayer(LayerModel("VoxelPillars", {"i32[32]"}, {"i32[30]", "i32[1]"}),
              "pillars/voxelize.xml", {counts},
              {PillarsOf(counts, 30), {used}});
}

TEST(PillarLayersTest, PointsOfPillars) {
  const Values points = Points(), cells = CellsOf(points);
  Values pillars = PillarsOf(CountsOf(cells), kPillars);
  pillars.back() = -1;
  const auto rows = RowsOf(cells, pillars);
  ExpectLayer(LayerModel("VoxelPoints", {"f32[40,4]", "i32[40]", "i32[6]"},
                         {"f32[6,3,4]", "i32[6]"}),
              "pillars/voxelize.xml", {points, cells, pillars},
              {FilledOf(points, rows), SizesOf(rows)});
}

TEST(PillarLayersTest, FeaturesOfPillars) {
  const Values points = Points(), cells = CellsOf(points);
  const Values pillars = PillarsOf(CountsOf(cells), kPillars);
  const auto rows = RowsOf(cells, pillars);
  Values want;
  for (int p = 0; p < kPillars; ++p) {
    const double center[] = {
        (std::fmod(pillars[p], kColumns) + 0.5) * kCell,
        (std::floor(pillars[p] / kColumns) + 0.5) * kCell + kMinY};
    for (const int row : rows[p]) {
      const double* const point = points.data() + row * 4;
      want.insert(want.end(), point, point + 4);
      for (int axis = 0; axis < 3; ++axis) {
        double sum = 0;
        for (const int other : rows[p]) sum += points[other * 4 + axis];
        want.push_back(point[axis] - sum / rows[p].size());
      }
      for (int axis = 0; axis < 2; ++axis) {
        want.push_back(point[axis] - center[axis]);
      }
    }
    want.resize((p + 1) * kInPillar * 9);
  }
  ExpectLayer(LayerModel("VoxelFeatures", {"f32[6,3,4]", "i32[6]", "i32[6]"},
                         {"f32[6,3,9]"}),
              "pillars/voxelize.xml",
              {FilledOf(points, rows), SizesOf(rows), pillars}, {want});
}

TEST(PillarLayersTest, ScoresAndClassesOfBoxes) {
  const Values logits = RandomValues(10 * 3, 5);
  Values scores, classes;
  for (int i = 0; i < 10; ++i) {
    const auto first = logits.begin() + i * 3;
    const auto best = std::max_element(first, first + 3);
    scores.push_back(1 / (1 + std::exp(-*best)));
    classes.push_back(best - first);
  }
  ExpectLayer(LayerModel("BoxScores", {"f32[10,3]"}, {"f32[10]", "i32[10]"}),
              "pillars/boxes.xml", {logits}, {scores, classes});
}

TEST(PillarLayersTest, CandidatesByScore) {
  const Values scores = RandomValues(12, 6, 0, 1);
  std::vector<int> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return scores[a] > scores[b]; });
  for (const int most : {3, 11}) {
    Values want;
    for (int i = 0; i < most; ++i) {
      want.push_back(scores[order[i]] >= 0.5 ? order[i] : -1);
    }
    ExpectLayer(LayerModel("BoxCandidates", {"f32[12]"},
                           {most == 3 ? "i32[3]" : "i32[11]"}),
                "pillars/boxes.xml", {scores}, {want});
  }
}

TEST(PillarLayersTest, BoxesOfCandidates) {
  const Values boxes = RandomValues(8 * 7, 7),
               scores = RandomValues(8, 8, 0, 1);
  const Values classes = {0, 1, 2, 0, 1, 2, 0, 1}, candidates = {5, 0, -1, 7};
  Values want;
  for (const double candidate : candidates) {
    const int at = static_cast<int>(candidate);
    for (int k = 0; k < 7; ++k) want.push_back(at < 0 ? 0 : boxes[at * 7 + k]);
    want.push_back(at < 0 ? 0 : scores[at]);
    want.push_back(at < 0 ? 0 : classes[at]);
  }
  ExpectLayer(
      LayerModel("BoxGather", {"f32[8,7]", "f32[8]", "i32[8]", "i64[4]"},
                 {"f32[4,9]"}),
      "pillars/boxes.xml", {boxes, scores, classes, candidates}, {want});
}

}  // namespace
}  // namespace dovetail::gpu
