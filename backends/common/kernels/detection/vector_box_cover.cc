#include "dovetail/backends/common/kernels/detection/vector_box_cover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dovetail {
namespace {

// As std::min and std::max, which take references; compilers make vector
// instructions of these.
inline float Least(float a, float b) { return b < a ? b : a; }
inline float Most(float a, float b) { return a < b ? b : a; }

// Boxes that have an area in the order of vector instructions.
class BoxGroups {
 public:
  void Add(const Box& box, float area);
  bool Covers(const Box& box, float area, float limit) const;

 private:
  static constexpr size_t kLanes = 16;
  using Lanes = std::array<float, kLanes>;
  struct Group {
    Lanes x1, y1, x2, y2, area;
  };

  static bool Covers(const Group& group, const Box& box, float area,
                     float limit);

  size_t count_ = 0;
  std::vector<Group> groups_;
};

void BoxGroups::Add(const Box& box, float area) {
  const size_t lane = count_ % kLanes, group = count_ / kLanes;
  if (group == groups_.size()) groups_.emplace_back();
  Group& last = groups_[group];
  if (lane == 0) {
    // What is not there is on the wrong side of everything.
    constexpr float kFar = std::numeric_limits<float>::max();
    last.x1.fill(kFar);
    last.x2.fill(-kFar);
    last.y1.fill(0);
    last.y2.fill(0);
    last.area.fill(1);
  }
  last.x1[lane] = box.x1;
  last.y1[lane] = box.y1;
  last.x2[lane] = box.x2;
  last.y2[lane] = box.y2;
  last.area[lane] = area;
  ++count_;
}

// Without branches, and in the order of operations of BoxOverlap.
bool BoxGroups::Covers(const Group& group, const Box& box, float area,
                       float limit) {
  int32_t covered = 0;
  for (size_t i = 0; i < kLanes; ++i) {
    const float width = Least(box.x2, group.x2[i]) - Most(box.x1, group.x1[i]);
    const float height = Least(box.y2, group.y2[i]) - Most(box.y1, group.y1[i]);
    const float common = width * height;
    const float overlap = common / (area + group.area[i] - common);
    covered |= static_cast<int32_t>(width > 0) &
               static_cast<int32_t>(height > 0) &
               static_cast<int32_t>(overlap > limit);
  }
  return covered != 0;
}

bool BoxGroups::Covers(const Box& box, float area, float limit) const {
  // The last ones first: they have the scores nearest to that of the box.
  for (size_t i = groups_.size(); i-- > 0;) {
    if (Covers(groups_[i], box, area, limit)) return true;
  }
  return false;
}

// Once there are many boxes they are in cells along x, each in all that it
// reaches; of boxes that overlap, one cell at least has both. Boxes of classes
// that an offset keeps apart, as torchvision's batched suppression has them,
// are not compared then.
class VectorBoxCover : public BoxCover {
 public:
  void Add(const Box& box) override;
  bool Covers(const Box& box, float limit) const override;

 private:
  static constexpr size_t kFewBoxes = 256;
  static constexpr float kMostCells = 256;
  // Of one that reaches more cells there is no copy in each.
  static constexpr size_t kWideCells = 4;

  // Of greater x none that is less. Written so that NaN, as an infinite x makes
  // where there is but one cell, is in the first.
  size_t CellOf(float x) const {
    const float cell = (x - begin_) * scale_;
    if (!(cell > 0)) return 0;
    const auto last = static_cast<float>(cells_.size() - 1);
    return static_cast<size_t>(std::min(cell, last));
  }
  void MakeCells();
  void AddToCells(const Box& box);

  std::vector<Box> boxes_;
  size_t next_cells_ = kFewBoxes;  // how many boxes make cells anew
  std::vector<BoxGroups> cells_;   // one at least, once there are boxes
  BoxGroups wide_;
  float begin_ = 0, scale_ = 0;  // cells for a distance of 1
};

void VectorBoxCover::Add(const Box& box) {
  if (BoxArea(box) <= 0) return;  // covers nothing
  if (cells_.empty()) cells_.emplace_back();
  boxes_.push_back(box);
  if (boxes_.size() < next_cells_) return AddToCells(box);
  constexpr size_t kTimes = 8;
  next_cells_ *= kTimes;
  MakeCells();
}

void VectorBoxCover::MakeCells() {
  begin_ = std::numeric_limits<float>::max();
  float end = -begin_, widths = 0;
  for (const Box& box : boxes_) {
    begin_ = std::min(begin_, box.x1);
    end = std::max(end, box.x2);
    widths += box.x2 - box.x1;
  }
  // Twice as wide as a box.
  const float width = 2 * widths / static_cast<float>(boxes_.size());
  const float range = end - begin_;
  const float cells = std::min(range / width, kMostCells);
  scale_ = cells / range;
  const bool has_cells = std::isfinite(scale_) && scale_ > 0 && cells >= 1;
  if (!has_cells) scale_ = begin_ = 0;
  cells_.assign(has_cells ? static_cast<size_t>(cells) : 1, BoxGroups());
  wide_ = BoxGroups();
  for (const Box& box : boxes_) AddToCells(box);
}

void VectorBoxCover::AddToCells(const Box& box) {
  const float area = BoxArea(box);
  const size_t first = CellOf(box.x1), last = CellOf(box.x2);
  if (last - first >= kWideCells) return wide_.Add(box, area);
  for (size_t i = first; i <= last; ++i) cells_[i].Add(box, area);
}

bool VectorBoxCover::Covers(const Box& box, float limit) const {
  const float area = BoxArea(box);
  if (area <= 0 || cells_.empty()) return false;
  const size_t first = CellOf(box.x1), last = CellOf(box.x2);
  for (size_t i = first; i <= last; ++i) {
    if (cells_[i].Covers(box, area, limit)) return true;
  }
  return wide_.Covers(box, area, limit);
}

}  // namespace

std::unique_ptr<BoxCover> MakeVectorBoxCover() {
  return std::make_unique<VectorBoxCover>();
}

}  // namespace dovetail
