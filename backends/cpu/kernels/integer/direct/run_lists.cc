#include "dovetail/backends/cpu/kernels/integer/direct/run_lists.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {
namespace {

// How long reading weights takes beside their products with a pixel.
constexpr int64_t kWeightsTime = 2;

int64_t TimeOf(const RunLists::Segment& segment) {
  return (segment.taps.end - segment.taps.begin) *
         (segment.end - segment.begin + kWeightsTime);
}

RunLists::Segment Joined(const RunLists::Segment& a,
                         const RunLists::Segment& b) {
  RunLists::Segment both{a.begin, b.end, a.taps};
  if (both.taps.begin == both.taps.end) both.taps = b.taps;
  if (b.taps.begin < b.taps.end) {
    both.taps.begin = std::min(both.taps.begin, b.taps.begin);
    both.taps.end = std::max(both.taps.end, b.taps.end);
  }
  return both;
}

}  // namespace

TapRange TapsInside(const WindowAxis& axis, int64_t output) {
  const int64_t first = output * axis.stride - axis.pad;
  const auto taps_before = [&](int64_t place) {
    const int64_t distance = std::max<int64_t>(0, place - first);
    return std::min(axis.kernel, DivideUp(distance, axis.dilation));
  };
  return {taps_before(0), taps_before(axis.input)};
}

RunLists::RunLists(const Window& window) : window_(window) {
  ListSegments();
  Join();
  for (Segment& segment : segments_) ListRuns(segment);
  for (int64_t y = 0; y < window_.rows.output; ++y) {
    taps_of_rows_.push_back(TapsInside(window_.rows, y));
  }
}

void RunLists::ListSegments() {
  const WindowAxis& columns = window_.columns;
  if (!window_.runs_are_taps) {
    segments_.push_back({0, columns.output, {0, window_.row_runs}});
    return;
  }
  for (int64_t x = 0; x < columns.output; ++x) {
    const TapRange taps = TapsInside(columns, x);
    if (!segments_.empty() && segments_.back().taps.begin == taps.begin &&
        segments_.back().taps.end == taps.end) {
      ++segments_.back().end;
    } else {
      segments_.push_back({x, x + 1, taps});
    }
  }
}

void RunLists::Join() {
  for (size_t i = 0; i + 1 < segments_.size();) {
    const Segment both = Joined(segments_[i], segments_[i + 1]);
    if (TimeOf(both) > TimeOf(segments_[i]) + TimeOf(segments_[i + 1])) {
      ++i;
      continue;
    }
    segments_[i] = both;
    segments_.erase(segments_.begin() + static_cast<int64_t>(i) + 1);
    // With the one before it may be different now.
    if (i > 0) --i;
  }
}

void RunLists::ListRuns(Segment& segment) {
  segment.first = static_cast<int64_t>(runs_.size());
  for (int64_t r = 0; r < window_.rows.kernel; ++r) {
    for (int64_t b = 0; b < window_.blocks; ++b) {
      const int64_t data = r * window_.row_step + b * window_.block_step;
      const int64_t weights = (r * window_.blocks + b) * window_.row_runs;
      for (int64_t i = segment.taps.begin; i < segment.taps.end; ++i) {
        runs_.push_back({static_cast<int32_t>(data + i * window_.run_step),
                         static_cast<int32_t>(weights + i)});
      }
    }
  }
}

absl::Span<const WindowRun> RunLists::Of(int64_t row,
                                         const Segment& segment) const {
  const TapRange& rows = taps_of_rows_[row];
  const int64_t runs = (segment.taps.end - segment.taps.begin) * window_.blocks;
  return absl::MakeConstSpan(runs_).subspan(segment.first + rows.begin * runs,
                                            (rows.end - rows.begin) * runs);
}

}  // namespace dovetail::cpu
