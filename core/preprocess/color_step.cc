#include "dovetail/core/preprocess/color_step.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/ops/reduction/reduce.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {
namespace {

absl::Status TakeChannels(const std::vector<int64_t>& channels,
                          StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  DOVETAIL_ASSIGN_OR_RETURN(const int axis, context.Axis("C"));
  DOVETAIL_ASSIGN_OR_RETURN(const Value taken,
                            context.Gather(data, channels, axis));
  context.Set(taken);
  return absl::OkStatus();
}

OpType YuvOperation(ColorFormat from, ColorFormat to) {
  const bool to_rgb = to == ColorFormat::kRgb;
  if (from == ColorFormat::kNv12SinglePlane ||
      from == ColorFormat::kNv12TwoPlanes) {
    return to_rgb ? OpType("NV12toRGB") : OpType("NV12toBGR");
  }
  return to_rgb ? OpType("I420toRGB") : OpType("I420toBGR");
}

absl::Status FromYuv(ColorFormat to, StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const Value picture,
      context.Make(YuvOperation(context.color, to), context.planes));
  context.Set(picture);
  DOVETAIL_ASSIGN_OR_RETURN(context.layout, Layout::Parse("NHWC"));
  return absl::OkStatus();
}

// The brightness that Rec. 601 gives red, green and blue, as a sum over the
// channels; integers are rounded to even.
absl::Status ToGray(ColorFormat from, StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  DOVETAIL_ASSIGN_OR_RETURN(const int axis, context.Axis("C"));
  const ElementType type = data.type();
  const ElementType sums = IsFloat(type) ? type : ElementType::kF32;
  std::vector<double> shares = {0.299, 0.587, 0.114};
  if (from == ColorFormat::kBgr) std::reverse(shares.begin(), shares.end());
  Shape shape = Shape::Filled(data.shape().rank(), 1);
  shape[axis] = 3;
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::FromDoubles(sums, shape, shares));
  DOVETAIL_ASSIGN_OR_RETURN(const Value weights, context.Constant(tensor));
  DOVETAIL_ASSIGN_OR_RETURN(const Value numbers, context.Convert(data, sums));
  DOVETAIL_ASSIGN_OR_RETURN(const Value parts,
                            context.Make("Multiply", {numbers, weights}));
  DOVETAIL_ASSIGN_OR_RETURN(const Value axes, context.Ints({axis}));
  auto reduce = std::make_unique<ReduceAttributes>();
  reduce->keep_dims = true;
  DOVETAIL_ASSIGN_OR_RETURN(
      Value gray, context.Make("ReduceSum", {parts, axes}, std::move(reduce)));
  if (type != sums) {
    DOVETAIL_ASSIGN_OR_RETURN(gray, context.Make("Round", {gray}));
  }
  DOVETAIL_ASSIGN_OR_RETURN(gray, context.Convert(gray, type));
  context.Set(gray);
  return absl::OkStatus();
}

bool IsRgbOrBgr(ColorFormat format) {
  return format == ColorFormat::kRgb || format == ColorFormat::kBgr;
}

absl::Status Convert(ColorFormat from, ColorFormat to, StepContext& context) {
  if (from == to) return absl::OkStatus();
  const bool to_rgb = to == ColorFormat::kRgb;
  if (IsRgbOrBgr(to)) {
    if (IsYuv(from)) return FromYuv(to, context);
    if (IsRgbOrBgr(from)) return TakeChannels({2, 1, 0}, context);
    if (from == ColorFormat::kRgbx || from == ColorFormat::kBgrx) {
      const bool same = to_rgb == (from == ColorFormat::kRgbx);
      return TakeChannels(
          same ? std::vector<int64_t>{0, 1, 2} : std::vector<int64_t>{2, 1, 0},
          context);
    }
  }
  if (to == ColorFormat::kGray && IsRgbOrBgr(from)) {
    return ToGray(from, context);
  }
  return InvalidArgument("no conversion from ", ColorFormatName(from), " to ",
                         ColorFormatName(to));
}

}  // namespace

absl::Status ConvertColor(ColorFormat to, StepContext& context) {
  if (context.color == ColorFormat::kUndefined) {
    return InvalidArgument("the tensor has no colour format");
  }
  DOVETAIL_RETURN_IF_ERROR(Convert(context.color, to, context));
  context.color = to;
  return absl::OkStatus();
}

absl::Status ReverseChannels(StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  DOVETAIL_ASSIGN_OR_RETURN(const int axis, context.Axis("C"));
  const Dimension extent = data.shape()[axis];
  if (!extent.is_static()) {
    return InvalidArgument("the number of channels has to be known");
  }
  std::vector<int64_t> channels;
  for (int64_t c = extent.value() - 1; c >= 0; --c) channels.push_back(c);
  return TakeChannels(channels, context);
}

}  // namespace dovetail
