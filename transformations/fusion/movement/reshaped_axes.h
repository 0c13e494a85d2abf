// Correspondence of the axes of two shapes of the same elements.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_RESHAPED_AXES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_RESHAPED_AXES_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace dovetail {

// Shapes of as many elements, none of them empty, cut into the smallest runs of
// axes that have as many elements in both.
class ReshapedAxes {
 public:
  using Extents = std::vector<int64_t>;

  ReshapedAxes(const Extents& from, const Extents& to);

  // The shape of a constant that is broadcast to `from`, for the same in `to`.
  // Nothing where it varies along some axes of a run that is cut differently.
  std::optional<Extents> ShapeOf(Extents constant) const;

  // The axes of `to` that are these ones of `from`. Nothing where they are not
  // whole runs, but for extents of 1.
  std::optional<Extents> AxesOf(const Extents& axes) const;

 private:
  struct Run {
    int from_begin, from_end;
    int to_begin, to_end;
  };

  bool IsSame(const Run& run) const;

  const Extents from_, to_;
  std::vector<Run> runs_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_RESHAPED_AXES_H_
