#include "dovetail/transformations/fusion/movement/reshaped_axes.h"

#include <algorithm>
#include <iterator>

namespace dovetail {
namespace {

using Extents = ReshapedAxes::Extents;

// The extents of [begin, end) that are not 1.
Extents LongOnes(const Extents& extents, int begin, int end) {
  Extents result;
  std::copy_if(extents.begin() + begin, extents.begin() + end,
               std::back_inserter(result), [](int64_t n) { return n != 1; });
  return result;
}

}  // namespace

ReshapedAxes::ReshapedAxes(const Extents& from, const Extents& to)
    : from_(from), to_(to) {
  const int from_rank = static_cast<int>(from.size());
  const int to_rank = static_cast<int>(to.size());
  Run run{0, 0, 0, 0};
  while (run.from_end < from_rank || run.to_end < to_rank) {
    int64_t left = run.from_end < from_rank ? from[run.from_end++] : 1;
    int64_t right = run.to_end < to_rank ? to[run.to_end++] : 1;
    while (left != right) {
      if (left < right) {
        if (run.from_end == from_rank) break;
        left *= from[run.from_end++];
      } else {
        if (run.to_end == to_rank) break;
        right *= to[run.to_end++];
      }
    }
    runs_.push_back(run);
    run.from_begin = run.from_end;
    run.to_begin = run.to_end;
  }
}

bool ReshapedAxes::IsSame(const Run& run) const {
  return LongOnes(from_, run.from_begin, run.from_end) ==
         LongOnes(to_, run.to_begin, run.to_end);
}

std::optional<Extents> ReshapedAxes::ShapeOf(Extents constant) const {
  if (constant.size() > from_.size()) return std::nullopt;
  constant.insert(constant.begin(), from_.size() - constant.size(), 1);
  Extents result(to_.size(), 1);
  for (const Run& run : runs_) {
    if (LongOnes(constant, run.from_begin, run.from_end).empty()) continue;
    if (!IsSame(run)) return std::nullopt;
    int i = run.from_begin;
    for (int k = run.to_begin; k < run.to_end; ++k) {
      if (to_[k] == 1) continue;
      while (from_[i] == 1) ++i;
      result[k] = constant[i++];
    }
  }
  return result;
}

std::optional<Extents> ReshapedAxes::AxesOf(const Extents& axes) const {
  Extents result;
  for (const Run& run : runs_) {
    int inside = 0, outside = 0;
    for (int i = run.from_begin; i < run.from_end; ++i) {
      if (from_[i] == 1) continue;
      const bool is_one =
          std::find(axes.begin(), axes.end(), i) != axes.end();
      ++(is_one ? inside : outside);
    }
    if (inside == 0) continue;
    if (outside > 0) return std::nullopt;
    for (int k = run.to_begin; k < run.to_end; ++k) result.push_back(k);
  }
  return result;
}

}  // namespace dovetail
