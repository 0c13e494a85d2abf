#include "dovetail/core/preprocess/geometry_steps.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

absl::StatusOr<int64_t> TargetExtent(absl::string_view axis,
                                     const StepContext& context) {
  const PartialShape& shape = context.target_shape;
  if (!shape.rank_known() || context.target_layout.empty()) {
    return InvalidArgument("without a size, the model needs a layout");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int index,
                            context.target_layout.Axis(axis, shape.rank()));
  if (shape[index].is_static()) return shape[index].value();
  return InvalidArgument("without a size, the model's extent of ", axis,
                         " has to be known; its shape is ", shape.ToString());
}

absl::StatusOr<PictureSize> TargetSize(const StepContext& context) {
  PictureSize size;
  DOVETAIL_ASSIGN_OR_RETURN(size.height, TargetExtent("H", context));
  DOVETAIL_ASSIGN_OR_RETURN(size.width, TargetExtent("W", context));
  return size;
}

bool HasSize(Value data, int height, int width, const PictureSize& size) {
  return data.shape()[height] == Dimension(size.height) &&
         data.shape()[width] == Dimension(size.width);
}

// Only version 0 of Interpolate can take means of areas.
absl::StatusOr<Value> ResizeByArea(Value data, Value sizes,
                                   std::vector<int64_t> axes,
                                   StepContext& context) {
  auto attributes = std::make_unique<Interpolate0Attributes>();
  attributes->axes = std::move(axes);
  attributes->mode = ResizeMode0::kArea;
  attributes->align_corners = false;
  return context.Make("Interpolate-0", {data, sizes}, std::move(attributes));
}

absl::Status CheckLengths(const std::vector<int64_t>& begin,
                          const std::vector<int64_t>& end, int rank) {
  const auto wanted = static_cast<size_t>(rank);
  if (begin.size() == wanted && end.size() == wanted) return absl::OkStatus();
  return InvalidArgument("begin has ", begin.size(), " numbers, end ",
                         end.size(), "; the tensor has ", rank, " dimensions");
}

}  // namespace

absl::Status Resize(ResizeMode mode, std::optional<PictureSize> size,
                    StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  DOVETAIL_ASSIGN_OR_RETURN(const int height, context.Axis("H"));
  DOVETAIL_ASSIGN_OR_RETURN(const int width, context.Axis("W"));
  if (!size.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(size, TargetSize(context));
  }
  if (size->height <= 0 || size->width <= 0) {
    return InvalidArgument("a size of ", size->height, " x ", size->width,
                           "; want at least 1 x 1");
  }
  if (HasSize(data, height, width, *size)) return absl::OkStatus();
  // In the order of the axes, which version 0 asks for.
  std::vector<int64_t> axes = {height, width};
  std::vector<int64_t> extents = {size->height, size->width};
  if (width < height) {
    std::swap(axes[0], axes[1]);
    std::swap(extents[0], extents[1]);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Value sizes, context.Ints(extents));
  Value resized;
  if (mode == ResizeMode::kArea) {
    DOVETAIL_ASSIGN_OR_RETURN(resized,
                              ResizeByArea(data, sizes, axes, context));
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(const Value along, context.Ints(axes));
    auto attributes = std::make_unique<InterpolateAttributes>();
    attributes->mode = mode;
    // The coefficient of Pillow's cubic.
    if (mode == ResizeMode::kBicubicPillow) attributes->cube_coeff = -0.5;
    DOVETAIL_ASSIGN_OR_RETURN(
        resized, context.Make("Interpolate-11", {data, sizes, along},
                              std::move(attributes)));
  }
  context.Set(resized);
  return absl::OkStatus();
}

absl::Status Crop(const std::vector<int64_t>& begin,
                  const std::vector<int64_t>& end, StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  const int rank = data.shape().rank();
  DOVETAIL_RETURN_IF_ERROR(CheckLengths(begin, end, rank));
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  std::vector<Value> inputs = {data};
  for (const auto& list : {begin, end, std::vector<int64_t>(rank, 1), axes}) {
    DOVETAIL_ASSIGN_OR_RETURN(const Value input, context.Ints(list));
    inputs.push_back(input);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Value cropped, context.Make("Slice", inputs));
  context.Set(cropped);
  return absl::OkStatus();
}

absl::Status Pad(const std::vector<int64_t>& begin,
                 const std::vector<int64_t>& end, double value, PadMode mode,
                 StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  DOVETAIL_RETURN_IF_ERROR(CheckLengths(begin, end, data.shape().rank()));
  DOVETAIL_ASSIGN_OR_RETURN(const Value before, context.Ints(begin));
  DOVETAIL_ASSIGN_OR_RETURN(const Value after, context.Ints(end));
  std::vector<Value> inputs = {data, before, after};
  if (mode == PadMode::kConstant) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Tensor number,
        Tensor::FromDoubles(data.type(), Shape(), {value}));
    DOVETAIL_ASSIGN_OR_RETURN(const Value with, context.Constant(number));
    inputs.push_back(with);
  }
  auto attributes = std::make_unique<PadAttributes>();
  attributes->pad_mode = mode;
  DOVETAIL_ASSIGN_OR_RETURN(
      const Value padded,
      context.Make("Pad-12", inputs, std::move(attributes)));
  context.Set(padded);
  return absl::OkStatus();
}

absl::Status ConvertLayout(const Layout& to, StepContext& context) {
  const Layout target = to.empty() ? context.target_layout : to;
  if (target.empty()) return InvalidArgument("the model has no layout");
  if (context.layout.empty()) {
    return InvalidArgument("the tensor has no layout");
  }
  if (context.layout == target) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  const int rank = data.shape().rank();
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<int64_t> order,
                            LayoutOrder(context.layout, target, rank));
  if (!std::is_sorted(order.begin(), order.end())) {
    DOVETAIL_RETURN_IF_ERROR(TransposeAxes(order, context));
  }
  context.layout = target;
  return absl::OkStatus();
}

absl::Status TransposeAxes(const std::vector<int64_t>& order,
                           StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  const int rank = data.shape().rank();
  std::vector<int64_t> sorted = order, all(rank);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all) {
    return InvalidArgument("the order {", absl::StrJoin(order, ", "),
                           "} does not have each of ", rank, " axes once");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Value transposed,
                            context.Transpose(data, order));
  context.Set(transposed);
  if (context.layout.empty()) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const Layout layout, context.layout.Expanded(rank));
  context.layout = layout.Permuted(order);
  return absl::OkStatus();
}

}  // namespace dovetail
