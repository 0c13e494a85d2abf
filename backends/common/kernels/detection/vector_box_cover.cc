#include "dovetail/backends/common/kernels/detection/vector_box_cover.h"

#include <array>
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

// A set of boxes in the order of vector instructions.
class VectorBoxCover : public BoxCover {
 public:
  void Add(const Box& box) override;
  bool Covers(const Box& box, float limit) const override;

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

void VectorBoxCover::Add(const Box& box) {
  const float area = BoxArea(box);
  if (area <= 0) return;  // covers nothing
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
bool VectorBoxCover::Covers(const Group& group, const Box& box, float area,
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

bool VectorBoxCover::Covers(const Box& box, float limit) const {
  const float area = BoxArea(box);
  if (area <= 0) return false;
  // The last ones first: they have the scores nearest to that of the box.
  for (size_t i = (count_ + kLanes - 1) / kLanes; i-- > 0;) {
    if (Covers(groups_[i], box, area, limit)) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<BoxCover> MakeVectorBoxCover() {
  return std::make_unique<VectorBoxCover>();
}

}  // namespace dovetail
