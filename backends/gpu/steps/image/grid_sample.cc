#include "dovetail/backends/gpu/steps/image/grid_sample.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/image/resize/grid_sample.h"

namespace dovetail::gpu {
namespace {

// The position of a coordinate, in elements. What is far outside, or no number,
// is brought to where numbers of elements do not overflow.
std::string PositionFunction(bool align_corners) {
  return absl::StrCat(
      "float grid_position", align_corners ? "_aligned" : "",
      "(float c, int extent) {\n"
      "  c = isnan(c) ? 0.0f : clamp(c, -1e12f, 1e12f);\n"
      "  const float length = extent;\n  const float position = ",
      align_corners ? "(c + 1) / 2 * (length - 1)"
                    : "((c + 1) * length - 1) / 2",
      ";\n  return clamp(position, -1e12f, 1e12f);\n}\n");
}

// The element that stands for number i; -1 where it is a zero.
std::string ResolveFunction(const GridSampleAttributes& attributes,
                            std::string& name) {
  std::string rule;
  switch (attributes.padding_mode) {
    case GridSamplePadding::kBorder:
      name = "grid_border";
      rule = "  return (int)clamp(i, 0L, (long)extent - 1);\n";
      break;
    case GridSamplePadding::kReflection:
      name = attributes.align_corners ? "grid_mirror_aligned" : "grid_mirror";
      rule = absl::StrCat(
          "  const long period = ",
          attributes.align_corners ? "2L * (extent - 1)" : "2L * extent",
          ";\n  if (period == 0) return 0;\n"
          "  i = (i % period + period) % period;\n"
          "  if (i < extent) return (int)i;\n  return (int)(",
          attributes.align_corners ? "period - i" : "period - 1 - i", ");\n");
      break;
    default:
      name = "grid_zeros";
      rule = "  return -1;\n";
  }
  return absl::StrCat("int ", name,
                      "(long i, int extent) {\n"
                      "  if (i >= 0 && i < extent) return (int)i;\n",
                      rule, "}\n");
}

// Keys' cubic convolution, of a distance below 2 in magnitude.
constexpr char kCubic[] =
    "float grid_cubic(float d) {\n"
    "  const float a = -0.75f;\n  d = fabs(d);\n"
    "  return d < 1 ? ((a + 2) * d - (a + 3)) * d * d + 1\n"
    "       : d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0.0f;\n}\n";

int TapsOf(GridSampleMode mode) {
  switch (mode) {
    case GridSampleMode::kNearest:
      return 1;
    case GridSampleMode::kBilinear:
      return 2;
    default:
      return 4;
  }
}

// Declares the taps <axis>i with weights <axis>w along an axis.
std::string Neighbours(GridSampleMode mode, const std::string& position,
                       const std::string& resolve, const std::string& axis,
                       int coordinate) {
  const std::string extent = absl::StrCat("extent_", axis);
  std::string text = absl::StrCat(
      "const float ", axis, "p = ", position, "(xy[", coordinate, "], ", extent,
      ");\n", "const float ", axis,
      "b = ", mode == GridSampleMode::kNearest ? "rint(" : "floor(", axis,
      "p);\n", "const float ", axis, "f = ", axis, "p - ", axis, "b;\n");
  std::string indices, weights;
  const int taps = TapsOf(mode);
  for (int i = 0; i < taps; ++i) {
    const int offset = taps == 4 ? i - 1 : i;
    absl::StrAppend(&indices, i > 0 ? ", " : "", resolve, "((long)", axis,
                    "b + ", offset, ", ", extent, ")");
    absl::StrAppend(&weights, i > 0 ? ", " : "",
                    taps == 1 ? std::string("1")
                    : taps == 4
                        ? absl::StrCat("grid_cubic(", axis, "f - ", offset, ")")
                    : i == 0 ? absl::StrCat("1 - ", axis, "f")
                             : absl::StrCat(axis, "f"));
  }
  return absl::StrCat(text, "const int ", axis, "i[] = {", indices, "};\n",
                      "const float ", axis, "w[] = {", weights, "};\n");
}

// An item has a point, and all channels of it.
std::string ChannelLoop(int taps) {
  return absl::StrCat(
      "for (int c = 0; c < channels; ++c) {\n"
      "  const __global float* plane =\n"
      "      data + (n * channels + c) * extent_y * extent_x;\n"
      "  float sum = 0;\n"
      "  for (int j = 0; j < ",
      taps,
      "; ++j) {\n"
      "    if (yi[j] < 0) continue;\n    float along = 0;\n"
      "    for (int i = 0; i < ",
      taps,
      "; ++i) {\n"
      "      if (xi[i] < 0) continue;\n"
      "      along += xw[i] * plane[yi[j] * extent_x + xi[i]];\n    }\n"
      "    sum += yw[j] * along;\n  }\n"
      "  out[(n * channels + c) * points + item % points] = sum;\n}\n");
}

}  // namespace

absl::StatusOr<bool> EmitGridSample(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<GridSampleAttributes>();
  const Value data = node.input(0), grid = node.input(1);
  if (attributes == nullptr || data.type() != ElementType::kF32 ||
      grid.type() != ElementType::kF32) {
    return false;
  }
  const Shape shape = PlanBuilder::ShapeOf(data);
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(data));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand points, builder.ReadPlain(grid));
  LaneLaunch launch(builder, 1);
  launch.Input("data", "float", input);
  launch.Input("grid", "float", points);
  launch.Output("out", "float",
                builder.WritePlain(PlanBuilder::OutputOf(node)));
  launch.Int("channels", shape[1]);
  launch.Int("extent_y", shape[2]);
  launch.Int("extent_x", shape[3]);
  launch.Int("points", result.Count(2, 4));
  launch.Items(shape[0] * result.Count(2, 4), /*heavy=*/false);
  std::string resolve;
  launch.Helper(PositionFunction(attributes->align_corners));
  launch.Helper(ResolveFunction(*attributes, resolve));
  if (attributes->mode == GridSampleMode::kBicubic) launch.Helper(kCubic);
  const std::string position =
      attributes->align_corners ? "grid_position_aligned" : "grid_position";
  launch.Body(
      "const int n = item / points;\n"
      "const __global float* xy = grid + 2 * item;\n");
  launch.Body(Neighbours(attributes->mode, position, resolve, "x", 0));
  launch.Body(Neighbours(attributes->mode, position, resolve, "y", 1));
  launch.Body(ChannelLoop(TapsOf(attributes->mode)));
  builder.AddLaunch(node, launch.Finish("grid_sample_f32"));
  return true;
}

}  // namespace dovetail::gpu
