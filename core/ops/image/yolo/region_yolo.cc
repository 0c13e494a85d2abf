#include "dovetail/core/ops/image/yolo/region_yolo.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// So that products of three of them fit an int64.
constexpr int64_t kMaxNumber = int64_t{1} << 20;

absl::Status CheckNumber(const InferContext& context, absl::string_view name,
                         int64_t value, int64_t least) {
  if (value >= least && value <= kMaxNumber) return absl::OkStatus();
  return context.Error("attribute '", name, "' is ", value, ", want ", least,
                       " to ", kMaxNumber);
}

absl::Status CheckAttributes(const InferContext& context,
                             const RegionYoloAttributes& attributes) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckNumber(context, "coords", attributes.coords, 0));
  DOVETAIL_RETURN_IF_ERROR(
      CheckNumber(context, "classes", attributes.classes, 0));
  if (attributes.do_softmax) {
    return CheckNumber(context, "num", attributes.num, 1);
  }
  if (attributes.mask.empty()) {
    return context.Error("attribute 'mask' is empty, want the numbers of the "
                         "anchors, because do_softmax is false");
  }
  return absl::OkStatus();
}

// Axes `first` to `last` as one.
PartialShape Flattened(const PartialShape& shape, int first, int last) {
  PartialShape flat = PartialShape::OfRank(0);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis > first && axis <= last) {
      flat[first] = flat[first] * shape[axis];
    } else {
      flat.push_back(shape[axis]);
    }
  }
  return flat;
}

}  // namespace

absl::Status InferRegionYolo(InferContext& context) {
  const auto& attributes = context.attributes<RegionYoloAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckAttributes(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 4));
  PartialShape data = context.shape(0);
  if (!data.rank_known()) data = PartialShape::OfRank(4);
  const int64_t channels = attributes.regions() * attributes.entries();
  if (!data[1].Contains(channels)) {
    return context.Error("data has shape ", data.ToString(), ", want ",
                         channels, " channels: ", attributes.entries(),
                         " for each of ", attributes.regions(), " boxes");
  }
  data[1] = channels;
  if (attributes.do_softmax) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int first,
        CheckedAxis(context, attributes.axis, 4, "attribute 'axis'"));
    DOVETAIL_ASSIGN_OR_RETURN(
        const int last,
        CheckedAxis(context, attributes.end_axis, 4, "attribute 'end_axis'"));
    data = Flattened(data, first, last);
  }
  context.SetOutput(0, context.type(0), std::move(data));
  return absl::OkStatus();
}

}  // namespace dovetail
