#include "dovetail/core/reference/detection/suppression/box_cover.h"

#include <algorithm>
#include <vector>

namespace dovetail {
namespace {

class PlainBoxCover : public BoxCover {
 public:
  void Add(const Box& box) override { boxes_.push_back(box); }
  bool Covers(const Box& box, float limit) const override {
    return std::any_of(boxes_.begin(), boxes_.end(), [&](const Box& other) {
      return BoxOverlap(box, other) > limit;
    });
  }

 private:
  std::vector<Box> boxes_;
};

}  // namespace

std::unique_ptr<BoxCover> MakeBoxCover() {
  return std::make_unique<PlainBoxCover>();
}

}  // namespace dovetail
