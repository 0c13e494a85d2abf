// Interpolate: an image, or any tensor, in other extents.
#ifndef DOVETAIL_CORE_OPS_IMAGE_RESIZE_INTERPOLATE_H_
#define DOVETAIL_CORE_OPS_IMAGE_RESIZE_INTERPOLATE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// How an element of the output is made of elements of the input.
enum class ResizeMode {
  kNearest,
  kLinear,         // a triangle around the position; may smooth (antialias)
  kLinearOnnx,     // the two neighbours along each axis
  kCubic,          // four neighbours along each axis
  kBilinearPillow,  // as Python's Pillow: wider where the image shrinks
  kBicubicPillow,
  kArea,  // the mean of what an element covers; only version 0 can name it
};
absl::Span<const EnumName> EnumNames(ResizeMode);

// Version 0 knows these.
enum class ResizeMode0 { kNearest, kLinear, kCubic, kArea };
absl::Span<const EnumName> EnumNames(ResizeMode0);

// What the second input says: extents or factors.
enum class ShapeCalculation { kSizes, kScales };
absl::Span<const EnumName> EnumNames(ShapeCalculation);

// Where in the input the middle of an output element lies.
enum class CoordinateMode {
  kHalfPixel,
  kPytorchHalfPixel,
  kAsymmetric,
  kTfHalfPixelForNn,
  kAlignCorners,
};
absl::Span<const EnumName> EnumNames(CoordinateMode);

// Which element is the nearest to a position between two.
enum class NearestMode {
  kRoundPreferFloor,
  kRoundPreferCeil,
  kFloor,
  kCeil,
  kSimple,  // down when the axis grows, up when it shrinks
};
absl::Span<const EnumName> EnumNames(NearestMode);

// Versions 4 and 11; only the latter has the modes of Pillow.
struct InterpolateAttributes : public AttributesOf<InterpolateAttributes> {
  ResizeMode mode = ResizeMode::kNearest;
  ShapeCalculation shape_calculation = ShapeCalculation::kSizes;
  CoordinateMode coordinate_mode = CoordinateMode::kHalfPixel;
  NearestMode nearest_mode = NearestMode::kRoundPreferFloor;
  bool antialias = false;
  // Zeros around the data before it is resized, from the first axis on; axes
  // that have no number here get none.
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
  double cube_coeff = -0.75;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("mode", mode);
    visitor.Visit("shape_calculation_mode", shape_calculation);
    visitor.Visit("coordinate_transformation_mode", coordinate_mode);
    visitor.Visit("nearest_mode", nearest_mode);
    visitor.Visit("antialias", antialias);
    visitor.Visit("pads_begin", pads_begin);
    visitor.Visit("pads_end", pads_end);
    visitor.Visit("cube_coeff", cube_coeff);
  }
};

// Version 0.
struct Interpolate0Attributes : public AttributesOf<Interpolate0Attributes> {
  std::vector<int64_t> axes;
  ResizeMode0 mode = ResizeMode0::kNearest;
  bool align_corners = true;
  bool antialias = false;
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axes", axes);
    visitor.Visit("mode", mode);
    visitor.Visit("align_corners", align_corners);
    visitor.Visit("antialias", antialias);
    visitor.Visit("pads_begin", pads_begin);
    visitor.Visit("pads_end", pads_end);
  }
};

// What a node of any version says in terms of version 11, and kArea, for data
// of `rank`.
InterpolateAttributes ResizeAttributesOf(const Node& node, int rank);

// Numbers of the inputs that a node reads; -1 where it reads none.
struct ResizeInputs {
  int sizes = -1;
  int scales = -1;
  int axes = -1;
};
ResizeInputs ResizeInputsOf(const Node& node, int input_count);

// The extent that an axis has after padding and resizing by `scale`. As in
// OpenVINO a little is added to the scale, so that a third of three, rounded
// down, is still one.
int64_t ScaledExtent(int64_t extent, double scale);

// The axes that are resized, in the order of the sizes or scales; all of them
// where the node does not say. Nothing when they are not known yet.
absl::StatusOr<std::optional<std::vector<int>>> ResizedAxes(
    const InferContext& context, int rank);

// data, sizes or scales (version 4: both, of which it reads one), [axes]
// -> data with these extents along the axes.
absl::Status InferInterpolate(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_RESIZE_INTERPOLATE_H_
