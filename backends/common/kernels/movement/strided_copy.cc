#include "dovetail/backends/common/kernels/movement/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "dovetail/backends/common/kernels/movement/transpose_tile.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::host {
namespace {

using Axis = StridedCopy::Axis;
using Axes = absl::InlinedVector<Axis, 6>;

// A tile's rows: whole cache lines, of which the L1 cache holds those
// of both sides.
constexpr int64_t kTileBytes = 256;
constexpr int64_t kMaxTileRows = 64;
// What a long row is cut into.
constexpr int64_t kRowBytes = 32768;

// Without axes of extent 1, and with those merged that are one on both sides.
Axes Merge(absl::Span<const Axis> axes) {
  Axes merged;
  for (const Axis& axis : axes) {
    if (axis.extent == 1) continue;
    if (!merged.empty() && merged.back().from == axis.extent * axis.from &&
        merged.back().to == axis.extent * axis.to) {
      merged.back() = {merged.back().extent * axis.extent, axis.from, axis.to};
      continue;
    }
    merged.push_back(axis);
  }
  return merged;
}

// Outermost first by the order in which the copy writes.
void SortByDestination(Axes& axes) {
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
    return std::abs(a.to) > std::abs(b.to);
  });
}

// A short last axis that is dense on both sides, and what it makes of an
// element: pairs of 4 bytes are one of 8.
void WidenElements(StridedCopy& copy, Axes& axes) {
  while (!axes.empty() && axes.back().from == 1 && axes.back().to == 1) {
    const int64_t extent = axes.back().extent;
    const int64_t size = copy.element_size * extent;
    if (extent > 16 || size > 16 || (size & (size - 1)) != 0) return;
    for (size_t i = 0; i + 1 < axes.size(); ++i) {
      if (axes[i].from % extent != 0 || axes[i].to % extent != 0) return;
    }
    axes.pop_back();
    copy.element_size = static_cast<int>(size);
    for (Axis& axis : axes) {
      axis.from /= extent;
      axis.to /= extent;
    }
    axes = Merge(axes);
  }
}

// Takes an axis that `matches` out of the list.
template <typename F>
std::optional<Axis> Take(Axes& axes, F matches) {
  for (size_t i = axes.size(); i-- > 0;) {
    if (!matches(axes[i])) continue;
    const Axis taken = axes[i];
    axes.erase(axes.begin() + static_cast<ptrdiff_t>(i));
    return taken;
  }
  return std::nullopt;
}

void ChooseKind(StridedCopy& copy, Axes axes) {
  if (const auto rows =
          Take(axes, [](const Axis& a) { return a.from == 1 && a.to == 1; })) {
    copy.kind = StridedCopy::Kind::kRows;
    copy.inner = *rows;
  } else if (const auto inner =
                 Take(axes, [](const Axis& a) { return a.to == 1; })) {
    copy.inner = *inner;
    const auto across = Take(axes, [](const Axis& a) { return a.from == 1; });
    // Turning needs rows to read from; those of step 0 would do, but are rare.
    copy.kind = across && inner->from > 0 && across->to > 0
                    ? StridedCopy::Kind::kTiles
                    : StridedCopy::Kind::kSingle;
    if (across && copy.kind == StridedCopy::Kind::kTiles) {
      copy.across = *across;
    } else if (across) {
      axes.push_back(*across);
    }
  } else {
    copy.kind = StridedCopy::Kind::kSingle;
    if (!axes.empty()) {
      copy.inner = axes.back();
      axes.pop_back();
    }
  }
  copy.outer = axes;
}

void ChooseUnits(StridedCopy& copy) {
  if (copy.kind == StridedCopy::Kind::kTiles) {
    const int64_t tile = std::min(kMaxTileRows, kTileBytes / copy.element_size);
    copy.inner_parts = std::max<int64_t>(1, copy.inner.extent / tile);
    copy.across_parts = std::max<int64_t>(1, copy.across.extent / tile);
  } else {
    copy.inner_parts =
        std::max<int64_t>(1, copy.inner.extent * copy.element_size / kRowBytes);
  }
  copy.unit_count = copy.inner_parts * copy.across_parts;
  for (const Axis& axis : copy.outer) copy.unit_count *= axis.extent;
}

struct Range {
  int64_t begin;
  int64_t end;
};

// Part `part` of `parts` of about equal size.
Range PartOf(int64_t extent, int64_t part, int64_t parts) {
  const int64_t size = extent / parts;
  return {part * size, part + 1 == parts ? extent : (part + 1) * size};
}

// What is too short to be worth a call for each row.
constexpr int64_t kShortRowBytes = 512;

struct RowSteps {
  int64_t from, to;  // bytes
};

// `count` rows of `bytes` bytes, in parts of kPart, of which they have one at
// least; the last one may copy some again.
template <int64_t kPart>
void CopyRowsByParts(const char* from, char* to, const RowSteps& steps,
                     int64_t count, int64_t bytes) {
  for (int64_t i = 0; i < count; ++i, from += steps.from, to += steps.to) {
    int64_t at = 0;
    for (; at + kPart <= bytes; at += kPart) {
      std::memcpy(to + at, from + at, kPart);
    }
    if (at < bytes) {
      std::memcpy(to + bytes - kPart, from + bytes - kPart, kPart);
    }
  }
}

void CopyShortRows(const char* from, char* to, const RowSteps& steps,
                   int64_t count, int64_t bytes) {
  const auto copy = bytes >= 64   ? &CopyRowsByParts<64>
                    : bytes >= 32 ? &CopyRowsByParts<32>
                    : bytes >= 16 ? &CopyRowsByParts<16>
                    : bytes >= 8  ? &CopyRowsByParts<8>
                    : bytes >= 4  ? &CopyRowsByParts<4>
                                  : &CopyRowsByParts<1>;
  copy(from, to, steps, count, bytes);
}

// One call of RunStridedCopy.
class Run {
 public:
  Run(const StridedCopy& copy, const void* from, void* to)
      : copy_(copy),
        from_(static_cast<const char*>(from)),
        to_(static_cast<char*>(to)),
        tile_(FindTransposeTile(copy.element_size)) {}

  // Divides once, and then counts.
  void Units(int64_t begin, int64_t end) {
    if (begin >= end) return;
    GoTo(begin);
    if (HasShortRows()) return ShortRows(end - begin);
    for (int64_t unit = begin; unit < end; ++unit, GoToNext()) Unit();
  }

 private:
  void GoTo(int64_t unit) {
    across_part_ = unit % copy_.across_parts;
    unit /= copy_.across_parts;
    inner_part_ = unit % copy_.inner_parts;
    unit /= copy_.inner_parts;
    index_.resize(copy_.outer.size());
    for (size_t i = copy_.outer.size(); i-- > 0;) {
      const Axis& axis = copy_.outer[i];
      index_[i] = unit % axis.extent;
      unit /= axis.extent;
      outer_from_ += index_[i] * axis.from;
      outer_to_ += index_[i] * axis.to;
    }
  }

  // Each unit is a row, and their places along the last axis follow each other.
  bool HasShortRows() const {
    return copy_.kind == StridedCopy::Kind::kRows && !copy_.outer.empty() &&
           copy_.inner.extent * copy_.element_size <= kShortRowBytes;
  }

  void ShortRows(int64_t units) {
    const Axis& axis = copy_.outer.back();
    const int64_t size = copy_.element_size;
    const RowSteps steps = {axis.from * size, axis.to * size};
    while (units > 0) {
      const int64_t count = std::min(units, axis.extent - index_.back());
      CopyShortRows(from_ + outer_from_ * size, to_ + outer_to_ * size, steps,
                    count, copy_.inner.extent * size);
      units -= count;
      // To the last of them, and then to the next place of all axes.
      index_.back() += count - 1;
      outer_from_ += (count - 1) * axis.from;
      outer_to_ += (count - 1) * axis.to;
      GoToNext();
    }
  }

  void GoToNext() {
    if (++across_part_ < copy_.across_parts) return;
    across_part_ = 0;
    if (++inner_part_ < copy_.inner_parts) return;
    inner_part_ = 0;
    for (size_t i = copy_.outer.size(); i-- > 0;) {
      const Axis& axis = copy_.outer[i];
      outer_from_ += axis.from;
      outer_to_ += axis.to;
      if (++index_[i] < axis.extent) return;
      outer_from_ -= axis.from * axis.extent;
      outer_to_ -= axis.to * axis.extent;
      index_[i] = 0;
    }
  }

  void Unit() const {
    const Range part =
        PartOf(copy_.inner.extent, inner_part_, copy_.inner_parts);
    const int64_t from = outer_from_ + part.begin * copy_.inner.from;
    const int64_t to = outer_to_ + part.begin * copy_.inner.to;
    const int64_t count = part.end - part.begin;
    if (copy_.kind == StridedCopy::Kind::kTiles) {
      Tile(from, to, count);
    } else if (copy_.kind == StridedCopy::Kind::kRows) {
      std::memcpy(to_ + to * copy_.element_size,
                  from_ + from * copy_.element_size,
                  count * copy_.element_size);
    } else {
      Singly(from, to, count);
    }
  }

  void Tile(int64_t from, int64_t to, int64_t rows) const {
    const Range part =
        PartOf(copy_.across.extent, across_part_, copy_.across_parts);
    from += part.begin;
    to += part.begin * copy_.across.to;
    tile_(from_ + from * copy_.element_size, copy_.inner.from,
          to_ + to * copy_.element_size, copy_.across.to, rows,
          part.end - part.begin);
  }

  void Singly(int64_t from, int64_t to, int64_t count) const {
    switch (copy_.element_size) {
      case 1:
        return SinglyAs<1>(from, to, count);
      case 2:
        return SinglyAs<2>(from, to, count);
      case 4:
        return SinglyAs<4>(from, to, count);
      case 8:
        return SinglyAs<8>(from, to, count);
      default:
        return SinglyAs<16>(from, to, count);
    }
  }

  template <int kSize>
  void SinglyAs(int64_t from, int64_t to, int64_t count) const {
    const char* source = from_ + from * kSize;
    char* destination = to_ + to * kSize;
    const int64_t from_step = copy_.inner.from * kSize;
    const int64_t to_step = copy_.inner.to * kSize;
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(destination, source, kSize);
      source += from_step;
      destination += to_step;
    }
  }

  const StridedCopy& copy_;
  const char* const from_;
  char* const to_;
  const TransposeTileFn tile_;

  absl::InlinedVector<int64_t, 6> index_;  // of the outer axes
  int64_t outer_from_ = 0, outer_to_ = 0;
  int64_t inner_part_ = 0, across_part_ = 0;
};

}  // namespace

absl::InlinedVector<int64_t, 8> DenseStrides(absl::Span<const int64_t> dims) {
  absl::InlinedVector<int64_t, 8> strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

absl::StatusOr<StridedCopy> MakeStridedCopy(
    absl::Span<const int64_t> dims, absl::Span<const int64_t> from_strides,
    absl::Span<const int64_t> to_strides, int element_size) {
  if (from_strides.size() != dims.size() || to_strides.size() != dims.size()) {
    return InvalidArgument("a copy of ", dims.size(), " dimensions by ",
                           from_strides.size(), " and ", to_strides.size(),
                           " strides");
  }
  if (element_size > 8 || FindTransposeTile(element_size) == nullptr) {
    return InvalidArgument("a copy of elements of ", element_size, " bytes");
  }
  int64_t count = 1;
  Axes axes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) return InvalidArgument("a dimension of ", dims[i]);
    const std::optional<int64_t> product = CheckedMultiply(count, dims[i]);
    if (!product) return InvalidArgument("more elements than can be counted");
    count = *product;
    axes.push_back({dims[i], from_strides[i], to_strides[i]});
  }
  StridedCopy copy;
  copy.element_size = element_size;
  if (count == 0) return copy;
  axes = Merge(axes);
  SortByDestination(axes);
  axes = Merge(axes);
  WidenElements(copy, axes);
  ChooseKind(copy, std::move(axes));
  ChooseUnits(copy);
  return copy;
}

absl::StatusOr<StridedCopy> MakeTranspose(absl::Span<const int64_t> dims,
                                          absl::Span<const int64_t> order,
                                          int element_size) {
  const absl::InlinedVector<int64_t, 8> strides = DenseStrides(dims);
  absl::InlinedVector<int64_t, 8> to_dims, from_strides;
  absl::InlinedVector<bool, 8> seen(dims.size(), false);
  for (const int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<int64_t>(dims.size()) || seen[axis] ||
        order.size() != dims.size()) {
      return InvalidArgument("axis ", axis, " in the order of a transposition",
                             " of ", dims.size(), " dimensions");
    }
    seen[axis] = true;
    to_dims.push_back(dims[axis]);
    from_strides.push_back(strides[axis]);
  }
  return MakeStridedCopy(to_dims, from_strides, DenseStrides(to_dims),
                         element_size);
}

void RunStridedCopy(const StridedCopy& copy, const void* from, void* to,
                    int64_t begin, int64_t end) {
  Run(copy, from, to).Units(begin, end);
}

}  // namespace dovetail::host
