#include <algorithm>

#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/ops/image/resize/interpolate.h"

namespace dovetail {
namespace {

template <typename E>
constexpr EnumName Name(E value, absl::string_view name) {
  return {static_cast<int>(value), name};
}

constexpr EnumName kModeNames[] = {
    Name(ResizeMode::kNearest, "nearest"),
    Name(ResizeMode::kLinear, "linear"),
    Name(ResizeMode::kLinearOnnx, "linear_onnx"),
    Name(ResizeMode::kCubic, "cubic"),
    Name(ResizeMode::kBilinearPillow, "bilinear_pillow"),
    Name(ResizeMode::kBicubicPillow, "bicubic_pillow"),
};
constexpr EnumName kMode0Names[] = {
    Name(ResizeMode0::kNearest, "nearest"),
    Name(ResizeMode0::kLinear, "linear"),
    Name(ResizeMode0::kCubic, "cubic"),
    Name(ResizeMode0::kArea, "area"),
};
constexpr EnumName kShapeCalculationNames[] = {
    Name(ShapeCalculation::kSizes, "sizes"),
    Name(ShapeCalculation::kScales, "scales"),
};
constexpr EnumName kCoordinateModeNames[] = {
    Name(CoordinateMode::kHalfPixel, "half_pixel"),
    Name(CoordinateMode::kPytorchHalfPixel, "pytorch_half_pixel"),
    Name(CoordinateMode::kAsymmetric, "asymmetric"),
    Name(CoordinateMode::kTfHalfPixelForNn, "tf_half_pixel_for_nn"),
    Name(CoordinateMode::kAlignCorners, "align_corners"),
};
constexpr EnumName kNearestModeNames[] = {
    Name(NearestMode::kRoundPreferFloor, "round_prefer_floor"),
    Name(NearestMode::kRoundPreferCeil, "round_prefer_ceil"),
    Name(NearestMode::kFloor, "floor"),
    Name(NearestMode::kCeil, "ceil"),
    Name(NearestMode::kSimple, "simple"),
};

// The linear mode of version 0 on images is that of the two neighbours, which
// never smooths; only volumes get the other one.
constexpr int kFirstSmoothedRank = 5;

bool AllZero(const std::vector<int64_t>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](int64_t value) { return value == 0; });
}

bool IsHeightAndWidth(std::vector<int64_t> axes, int rank) {
  std::sort(axes.begin(), axes.end());
  return rank == 4 && axes == std::vector<int64_t>{2, 3};
}

// Version 0 knows one way to find positions besides aligned corners. For the
// rows and columns of an image, and for what is padded, that is asymmetric; for
// everything else OpenVINO takes the middle of elements in linear mode.
CoordinateMode CoordinatesOf(const Interpolate0Attributes& old, int rank) {
  if (old.align_corners) return CoordinateMode::kAlignCorners;
  if (old.mode == ResizeMode0::kLinear && AllZero(old.pads_begin) &&
      AllZero(old.pads_end) && !IsHeightAndWidth(old.axes, rank)) {
    return CoordinateMode::kHalfPixel;
  }
  return CoordinateMode::kAsymmetric;
}

}  // namespace

absl::Span<const EnumName> EnumNames(ResizeMode) { return kModeNames; }
absl::Span<const EnumName> EnumNames(ResizeMode0) { return kMode0Names; }
absl::Span<const EnumName> EnumNames(ShapeCalculation) {
  return kShapeCalculationNames;
}
absl::Span<const EnumName> EnumNames(CoordinateMode) {
  return kCoordinateModeNames;
}
absl::Span<const EnumName> EnumNames(NearestMode) { return kNearestModeNames; }

InterpolateAttributes ResizeAttributesOf(const Node& node, int rank) {
  if (const auto* newer = node.As<InterpolateAttributes>()) return *newer;
  const auto& old = *node.As<Interpolate0Attributes>();
  InterpolateAttributes result;
  switch (old.mode) {
    case ResizeMode0::kNearest: result.mode = ResizeMode::kNearest; break;
    case ResizeMode0::kCubic: result.mode = ResizeMode::kCubic; break;
    case ResizeMode0::kLinear:
      result.mode = rank < kFirstSmoothedRank ? ResizeMode::kLinearOnnx
                                              : ResizeMode::kLinear;
      break;
    case ResizeMode0::kArea: result.mode = ResizeMode::kArea; break;
  }
  result.shape_calculation = ShapeCalculation::kSizes;
  result.nearest_mode = NearestMode::kSimple;
  result.coordinate_mode = CoordinatesOf(old, rank);
  result.antialias = old.antialias;
  result.pads_begin = old.pads_begin;
  result.pads_end = old.pads_end;
  return result;
}

ResizeInputs ResizeInputsOf(const Node& node, int input_count) {
  ResizeInputs inputs;
  if (node.op().version == 0) {
    inputs.sizes = 1;
    return inputs;
  }
  const bool by_scales = node.As<InterpolateAttributes>()->shape_calculation ==
                         ShapeCalculation::kScales;
  const bool has_both = node.op().version == 4;
  if (by_scales) {
    inputs.scales = has_both ? 2 : 1;
  } else {
    inputs.sizes = 1;
  }
  const int axes = has_both ? 3 : 2;
  if (input_count > axes) inputs.axes = axes;
  return inputs;
}

}  // namespace dovetail
