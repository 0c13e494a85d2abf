#include "dovetail/core/ops/image/color/color_conversion.h"

#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

constexpr int kHeight = 1;
constexpr int kWidth = 2;
constexpr int kChannel = 3;

// An input that holds one plane: each of its elements is for a square of
// `pixels` by `pixels`.
struct Plane {
  absl::string_view name;
  int64_t pixels;
  int64_t channels;
};

constexpr Plane kNv12Planes[] = {{"Y", 1, 1}, {"UV", 2, 2}};
constexpr Plane kI420Planes[] = {{"Y", 1, 1}, {"U", 2, 1}, {"V", 2, 1}};

// The numbers x for which x * numerator / denominator is in `extent` and whole.
Dimension Unscaled(const Dimension& extent, int64_t numerator,
                   int64_t denominator) {
  return Dimension(CeilDivide(extent, numerator).min(),
                   FloorDivide(extent, numerator).max()) *
         Dimension(denominator);
}

absl::Status CheckImage(const InferContext& context, int input,
                        int64_t channels) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 4));
  if (context.type(input) != ElementType::kU8) {
    if (!RequireFloat(context, input).ok()) {
      return context.Error("input ", input, " has type ",
                           ElementTypeName(context.type(input)),
                           ", want u8 or a float type");
    }
  }
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape[kChannel].Contains(channels)) {
    return absl::OkStatus();
  }
  return context.Error("input ", input, " has shape ", shape.ToString(),
                       ", want ", channels, " channels along axis 3");
}

absl::Status CheckMultiple(const InferContext& context, int axis,
                           int64_t divisor, absl::string_view what) {
  const Dimension& extent = context.shape(0)[axis];
  if (extent.is_dynamic() || extent.value() % divisor == 0) {
    return absl::OkStatus();
  }
  return context.Error("input 0 has shape ", context.shape(0).ToString(),
                       ", want ", what, " that is a multiple of ", divisor);
}

// RGB from one plane that holds all.
absl::StatusOr<PartialShape> FromSinglePlane(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckImage(context, 0, 1));
  PartialShape shape = context.shape(0);
  if (!shape.rank_known()) {
    shape = PartialShape::OfRank(4);
  } else {
    DOVETAIL_RETURN_IF_ERROR(CheckMultiple(
        context, kHeight, 3, "a height (of an image and half a one)"));
    DOVETAIL_RETURN_IF_ERROR(CheckMultiple(context, kWidth, 2, "a width"));
    shape[kHeight] = Unscaled(shape[kHeight], 3, 2);
  }
  shape[kChannel] = 3;
  return shape;
}

// RGB from several planes, which have to belong to an image of one size.
absl::StatusOr<PartialShape> FromPlanes(const InferContext& context,
                                        absl::Span<const Plane> planes) {
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameType(context, 0, static_cast<int>(planes.size()) - 1)
          .status());
  PartialShape image = PartialShape::OfRank(4);
  for (size_t i = 0; i < planes.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(
        CheckImage(context, static_cast<int>(i), planes[i].channels));
    PartialShape shape = context.shape(static_cast<int>(i));
    if (!shape.rank_known()) continue;
    shape[kHeight] = shape[kHeight] * Dimension(planes[i].pixels);
    shape[kWidth] = shape[kWidth] * Dimension(planes[i].pixels);
    shape[kChannel] = Dimension::Unknown();
    const std::optional<PartialShape> both = Intersect(image, shape);
    if (!both.has_value()) {
      return context.Error("input ", i, " (", planes[i].name, ") has shape ",
                           context.shape(static_cast<int>(i)).ToString(),
                           ", which is for an image of shape ",
                           shape.ToString(), "; want one of shape ",
                           image.ToString(), " as the inputs before it");
    }
    image = *both;
  }
  if (context.shape(0).rank_known()) {
    DOVETAIL_RETURN_IF_ERROR(CheckMultiple(context, kHeight, 2, "a height"));
    DOVETAIL_RETURN_IF_ERROR(CheckMultiple(context, kWidth, 2, "a width"));
  }
  image[kChannel] = 3;
  return image;
}

absl::Status InferFrom(InferContext& context, absl::Span<const Plane> planes) {
  const int count = context.input_count();
  if (count != 1 && count != static_cast<int>(planes.size())) {
    return context.Error("there are ", count, " inputs, want 1 or ",
                         planes.size());
  }
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape image,
                            count == 1 ? FromSinglePlane(context)
                                       : FromPlanes(context, planes));
  context.SetOutput(0, context.type(0), std::move(image));
  return absl::OkStatus();
}

}  // namespace

absl::Status InferFromNv12(InferContext& context) {
  return InferFrom(context, kNv12Planes);
}

absl::Status InferFromI420(InferContext& context) {
  return InferFrom(context, kI420Planes);
}

absl::Status InferToNv12(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckImage(context, 0, 3));
  PartialShape y = context.shape(0);
  if (!y.rank_known()) {
    y = PartialShape::OfRank(4);
  } else {
    DOVETAIL_RETURN_IF_ERROR(CheckMultiple(context, kHeight, 2, "a height"));
    DOVETAIL_RETURN_IF_ERROR(CheckMultiple(context, kWidth, 2, "a width"));
  }
  y[kChannel] = 1;
  if (context.attributes<ToNv12Attributes>().single_plane) {
    y[kHeight] = Unscaled(y[kHeight], 2, 3);
    context.SetOutputCount(1);
    context.SetOutput(0, context.type(0), std::move(y));
    return absl::OkStatus();
  }
  PartialShape uv = y;
  uv[kHeight] = Unscaled(y[kHeight], 2, 1);
  uv[kWidth] = Unscaled(y[kWidth], 2, 1);
  uv[kChannel] = 2;
  context.SetOutputCount(2);
  context.SetOutput(0, context.type(0), std::move(y));
  context.SetOutput(1, context.type(0), std::move(uv));
  return absl::OkStatus();
}

}  // namespace dovetail
