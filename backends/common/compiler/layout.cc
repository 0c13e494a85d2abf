#include "dovetail/backends/common/compiler/layout.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail {

std::string LayoutText(Layout layout, int rank) {
  static constexpr absl::string_view kSpatial = "dhw";
  const int axes = std::clamp(rank - 2, 0, 3);
  const absl::string_view spatial = kSpatial.substr(3 - axes);
  if (layout == Layout::kPlanar) return "plain";
  if (layout == Layout::kChannelsLast) return absl::StrCat("n", spatial, "c");
  return absl::StrCat("nC", spatial, ChannelBlock(layout), "c");
}

int64_t ChannelBlock(Layout layout) {
  if (layout == Layout::kBlocked8) return 8;
  if (layout == Layout::kBlocked16) return 16;
  return 1;
}

bool CanHaveLayout(const Shape& shape, Layout layout) {
  return layout == Layout::kPlanar || (shape.rank() >= 3 && shape.rank() <= 5);
}

int64_t StoredElements(const Shape& shape, Layout layout) {
  const int64_t block = ChannelBlock(layout);
  if (block == 1) return shape.Count();
  return shape[0] * CeilDivide(shape[1], block) * block *
         shape.Count(2, shape.rank());
}

int64_t StoredBytes(const Shape& shape, const Format& format) {
  // Elements of fewer than 8 bits come in groups of whole bytes.
  return ByteSize(format.type, StoredElements(shape, format.layout))
      .value_or(std::numeric_limits<int64_t>::max());
}

bool SameOrder(const Shape& shape, Layout a, Layout b) {
  if (a == b) return true;
  if (!CanHaveLayout(shape, a) || !CanHaveLayout(shape, b)) return false;
  const int64_t block_a = ChannelBlock(a), block_b = ChannelBlock(b);
  const int64_t channels = shape[1];
  if (channels % block_a != 0 || channels % block_b != 0) return false;
  if (shape.Count(2, shape.rank()) == 1) return true;  // channels only
  // One block is all channels, which makes it channels last.
  const auto last = [&](Layout layout, int64_t block) {
    return layout == Layout::kChannelsLast || (block > 1 && channels == block);
  };
  if (last(a, block_a) && last(b, block_b)) return true;
  if (channels != 1) return false;
  return block_a == 1 && block_b == 1;
}

bool SameFormat(const Shape& shape, const Format& a, const Format& b) {
  return a.type == b.type && SameOrder(shape, a.layout, b.layout);
}

}  // namespace dovetail
