#include "dovetail/core/preprocess/color_step.h"

#include <algorithm>
#include <cmath>
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

bool HasUnusedChannel(ColorFormat format) {
  return format == ColorFormat::kRgbx || format == ColorFormat::kBgrx;
}

bool IsBlueFirst(ColorFormat format) {
  return format == ColorFormat::kBgr || format == ColorFormat::kBgrx;
}

// Numbers along the channels, one each.
absl::StatusOr<Value> AlongChannels(ElementType type,
                                    const std::vector<double>& numbers,
                                    int rank, int axis, StepContext& context) {
  Shape shape = Shape::Filled(rank, 1);
  shape[axis] = static_cast<int64_t>(numbers.size());
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::FromDoubles(type, shape, numbers));
  return context.Constant(tensor);
}

// The brightness that Rec. 601 gives red, green and blue, as a sum over the
// channels; integers are rounded to even.
absl::Status ToGray(ColorFormat from, StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  DOVETAIL_ASSIGN_OR_RETURN(const int axis, context.Axis("C"));
  const ElementType type = data.type();
  const ElementType sums = IsFloat(type) ? type : ElementType::kF32;
  std::vector<double> shares = {0.299, 0.587, 0.114};
  if (IsBlueFirst(from)) std::reverse(shares.begin(), shares.end());
  if (HasUnusedChannel(from)) shares.push_back(0);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Value weights,
      AlongChannels(sums, shares, data.shape().rank(), axis, context));
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

// What is opaque in a picture of numbers of this type.
double FullValue(ElementType type) {
  if (IsFloat(type)) return 1;
  const int bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
  return std::ldexp(1.0, bits) - 1;
}

// A last channel, whose numbers mean nothing yet, becomes opaque.
absl::Status FillUnusedChannel(StepContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Value data, context.RankedData());
  DOVETAIL_ASSIGN_OR_RETURN(const int axis, context.Axis("C"));
  const ElementType type = data.type();
  const int rank = data.shape().rank();
  DOVETAIL_ASSIGN_OR_RETURN(
      const Value kept, AlongChannels(type, {1, 1, 1, 0}, rank, axis, context));
  DOVETAIL_ASSIGN_OR_RETURN(
      const Value filled,
      AlongChannels(type, {0, 0, 0, FullValue(type)}, rank, axis, context));
  DOVETAIL_ASSIGN_OR_RETURN(const Value colors,
                            context.Make("Multiply", {data, kept}));
  DOVETAIL_ASSIGN_OR_RETURN(const Value all,
                            context.Make("Add", {colors, filled}));
  context.Set(all);
  return absl::OkStatus();
}

// Where `to` has colours: its channels are some of `from`.
absl::Status ToColors(ColorFormat from, ColorFormat to, StepContext& context) {
  std::vector<int64_t> channels = {0, 1, 2};
  if (from == ColorFormat::kGray) {
    channels = {0, 0, 0};
  } else if (IsBlueFirst(from) != IsBlueFirst(to)) {
    channels = {2, 1, 0};
  }
  if (HasUnusedChannel(to)) channels.push_back(0);
  DOVETAIL_RETURN_IF_ERROR(TakeChannels(channels, context));
  if (!HasUnusedChannel(to)) return absl::OkStatus();
  return FillUnusedChannel(context);
}

absl::Status Convert(ColorFormat from, ColorFormat to, StepContext& context) {
  if (from == to) return absl::OkStatus();
  if (IsYuv(to) || to == ColorFormat::kUndefined) {
    return InvalidArgument("no conversion from ", ColorFormatName(from), " to ",
                           ColorFormatName(to));
  }
  if (IsYuv(from)) {
    from = IsBlueFirst(to) ? ColorFormat::kBgr : ColorFormat::kRgb;
    DOVETAIL_RETURN_IF_ERROR(FromYuv(from, context));
    if (from == to) return absl::OkStatus();
  }
  if (to == ColorFormat::kGray) return ToGray(from, context);
  return ToColors(from, to, context);
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
