#include "dovetail/backends/gpu/steps/normalization/variance.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/fusion/scale_and_shift.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/axes.h"
#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/core/ops/normalization/normalize_l2.h"
#include "dovetail/transformations/fusion/normalization/rms_norm_pattern.h"

namespace dovetail::gpu {
namespace {

// What becomes of a lane.
struct Norm {
  bool shift = true;  // to a mean of 0
  // From `squares`, their sum, `size` elements and `eps`; empty: 1.
  std::string factor;
  double eps = 0;
};

constexpr char kInsideRoot[] = "1 / sqrt(squares / size + eps)";

// What numbers of scale and shift a lane has.
enum class Affine {
  kNone,
  kPlaces,    // one for each place along rows
  kSegments,  // one for each of equal parts of a row, which are channels
  kVector,    // one for each lane of a vector, which are channels
};

struct Problem {
  const char* kernel;
  Norm norm;
  LaneGeometry lanes;
  Operand input, scale, shift, output;
  Affine affine = Affine::kNone;
  int64_t channels = 1;  // of all segments or vectors
  int64_t segments = 1;  // of a row
};

bool Has(const Operand& operand) { return operand.buffer != -1; }

// The mean and the factor of a lane.
std::string Moments(const Norm& norm, const LaneGeometry& lanes) {
  const std::string type = lanes.is_rows() ? "const float " : "const $V ";
  std::string text = "const float size = length;\n";
  if (norm.shift) {
    absl::StrAppend(&text, SumOfLane(lanes, "in", "sum", "x"), type,
                    "mean = sum / size;\n");
  } else {
    absl::StrAppend(&text, type, "mean = 0;\n");
  }
  if (norm.factor.empty()) return absl::StrCat(text, type, "factor = 1;\n");
  return absl::StrCat(
      text,
      SumOfLane(lanes, "in", "squares",
                norm.shift ? "(x - mean) * (x - mean)" : "x * x"),
      type, "factor = ", norm.factor, ";\n");
}

// `value` scaled and shifted by the numbers at that place.
std::string Scaled(const Problem& problem, absl::string_view at) {
  std::string value = "(x - mean) * factor";
  if (Has(problem.scale)) absl::StrAppend(&value, " * $LOAD(scale + ", at, ")");
  if (Has(problem.shift)) absl::StrAppend(&value, " + $LOAD(shift + ", at, ")");
  return absl::StrCat("$STORE(", value, ", out + at);");
}

// A row of segments, each with numbers of its own.
std::string Segments(const Problem& problem) {
  const auto store = [&](absl::string_view macro) {
    return absl::StrCat(macro, "((x - mean) * factor",
                        Has(problem.scale) ? " * scale[channel]" : "",
                        Has(problem.shift) ? " + shift[channel]" : "",
                        ", out + at);");
  };
  return absl::StrCat(
      "const int segment = length / segments;\n"
      "for (int s = 0; s < segments; ++s) {\n"
      "const int channel = (q * segments + s) % channels;\n",
      ForPart(problem.lanes, "in", "s * segment", "(s + 1) * segment",
              store("$STORE"), store("$STORE1")),
      "}\n");
}

std::string Outputs(const Problem& problem) {
  switch (problem.affine) {
    case Affine::kSegments:
      return Segments(problem);
    case Affine::kPlaces:
      return ForLane(problem.lanes, "in", Scaled(problem, "k"));
    case Affine::kVector:
      return absl::StrCat(
          "const int channel = q * inner % channels;\n",
          ForLane(problem.lanes, "in", Scaled(problem, "channel + first")));
    default:
      return ForLane(problem.lanes, "in", Scaled(problem, "0"));
  }
}

void AddNorm(const Node& node, const Problem& problem, PlanBuilder& builder) {
  const LaneGeometry& lanes = problem.lanes;
  LaneLaunch launch(builder, lanes.Lanes(builder.lanes().lanes));
  launch.Input("in", problem.input);
  if (Has(problem.scale)) launch.Input("scale", "float", problem.scale);
  if (Has(problem.shift)) launch.Input("shift", "float", problem.shift);
  launch.Output("out", problem.output);
  launch.Float("eps", problem.norm.eps);
  launch.Int("channels", problem.channels);
  launch.Int("segments", problem.segments);
  AddLanes(launch, lanes);
  launch.Body(Moments(problem.norm, lanes));
  launch.Body(Outputs(problem));
  // Vectors that overlap would read what they have written.
  if (lanes.is_rows() && problem.output.format == problem.input.format) {
    builder.AllowInPlace(problem.output, problem.input);
  }
  builder.AddLaunch(
      node,
      launch.Finish(KernelName(
          absl::StrCat(problem.kernel, lanes.is_rows() ? "_rows" : "_columns"),
          problem.output.format.type)));
}

// ---- MVN ----

// The axes of an MVN with flags; nothing when they are computed.
std::optional<std::vector<bool>> SetNorm(const Node& node, int rank,
                                         Norm& norm) {
  if (const auto* mvn = node.As<MvnAttributes>()) {
    norm.eps = mvn->eps;
    if (mvn->normalize_variance) norm.factor = kInsideRoot;
    return AxisFlags(MvnAxes(*mvn, rank), rank);
  }
  const auto* mvn6 = node.As<Mvn6Attributes>();
  const Tensor* axes =
      mvn6 == nullptr ? nullptr : PlanBuilder::ConstantOf(node.input(1));
  if (axes == nullptr) return std::nullopt;
  norm.eps = mvn6->eps;
  if (mvn6->normalize_variance) {
    norm.factor = mvn6->eps_mode == MvnEpsMode::kInsideSqrt
                      ? kInsideRoot
                      : "1 / (sqrt(squares / size) + eps)";
  }
  return AxisFlags(ToInt64Vector(*axes), rank);
}

// The first axis from which on all have a flag, and none before it; -1.
int FirstOfTrailing(const std::vector<bool>& flags) {
  const auto first = std::find(flags.begin(), flags.end(), true);
  if (std::find(first, flags.end(), false) != flags.end()) return -1;
  return static_cast<int>(first - flags.begin());
}

// Which numbers of a scale and shift behind it an MVN takes along.
Affine AffineOf(const Node& node, const Shape& shape, int first,
                Layout layout) {
  const auto by_channel = [&](const Shape& own) {
    return RepeatsByChannel(own, shape);
  };
  if (first == 2 && HasScaleOrShift(node, by_channel)) {
    return layout == Layout::kPlanar ? Affine::kSegments : Affine::kVector;
  }
  const auto by_row = [&](const Shape& own) {
    return RepeatsByRow(own, shape, first);
  };
  if (first > 0 && layout == Layout::kPlanar && HasScaleOrShift(node, by_row)) {
    return Affine::kPlaces;
  }
  return Affine::kNone;
}

absl::StatusOr<Value> FuseAffine(const Node& node, int first, Problem& problem,
                                 PlanBuilder& builder) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const bool by_row = problem.affine == Affine::kPlaces;
  DOVETAIL_ASSIGN_OR_RETURN(
      const ScaleAndShift after,
      FuseScaleAndShift(node, builder, [&](const Shape& own) {
        return by_row ? RepeatsByRow(own, shape, first)
                      : RepeatsByChannel(own, shape);
      }));
  problem.scale = after.scale;
  problem.shift = after.shift;
  problem.channels = by_row ? 1 : shape[1];
  return PlanBuilder::OutputOf(*after.last);
}

}  // namespace

absl::StatusOr<bool> EmitMvn(const Node& node, PlanBuilder& builder) {
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (data.type() != ElementType::kF32 || shape.rank() == 0) return false;
  Problem problem = {"mvn", {}, {}, {}, {}, {}, {}};
  auto flags = SetNorm(node, shape.rank(), problem.norm);
  if (!flags) return false;
  const int first = FirstOfTrailing(*flags);
  // What is normalized may not run over the zeros that fill blocks.
  Format format = builder.FormatOf(data);
  const bool blocked =
      format.layout == Layout::kBlocked16 && first == 2 && shape[1] % 16 == 0;
  if (!blocked) format.layout = Layout::kPlanar;
  if (blocked) flags->push_back(false);
  const auto lanes = LaneGeometryOf(StoredDims(shape, format.layout), *flags);
  if (!lanes || lanes->runs > 1) return false;
  problem.lanes = *lanes;
  DOVETAIL_ASSIGN_OR_RETURN(problem.input, builder.Read(data, format));
  Value result = PlanBuilder::OutputOf(node);
  if (first >= 0) {
    problem.affine = AffineOf(node, shape, first, format.layout);
  }
  if (problem.affine != Affine::kNone) {
    DOVETAIL_ASSIGN_OR_RETURN(result,
                              FuseAffine(node, first, problem, builder));
  }
  problem.output =
      builder.Write(result, builder.StorageFormat(result, format.layout));
  AddNorm(node, problem, builder);
  return true;
}

absl::StatusOr<bool> EmitGroupNormalization(const Node& node,
                                            PlanBuilder& builder) {
  const auto* attributes = node.As<GroupNormAttributes>();
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (attributes == nullptr || data.type() != ElementType::kF32 ||
      attributes->num_groups < 1 || shape.rank() < 2 ||
      shape[1] % attributes->num_groups != 0) {
    return false;
  }
  Problem problem = {"group_norm", {}, {}, {}, {}, {}, {}};
  problem.norm = {true, kInsideRoot, attributes->epsilon};
  problem.affine = Affine::kSegments;
  problem.channels = shape[1];
  problem.segments = shape[1] / attributes->num_groups;
  LaneGeometry& lanes = problem.lanes;
  lanes.middle = shape[0] * attributes->num_groups;
  lanes.middle_stride = lanes.length = shape.Count() / lanes.middle;
  DOVETAIL_ASSIGN_OR_RETURN(problem.input,
                            builder.Read(data, builder.StoredFormat(data)));
  DOVETAIL_ASSIGN_OR_RETURN(problem.scale, builder.ReadPlain(node.input(1)));
  DOVETAIL_ASSIGN_OR_RETURN(problem.shift, builder.ReadPlain(node.input(2)));
  const Value result = PlanBuilder::OutputOf(node);
  problem.output = builder.Write(result, builder.StorageFormat(result));
  AddNorm(node, problem, builder);
  return true;
}

absl::StatusOr<bool> EmitNormalizeL2(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<NormalizeL2Attributes>();
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  const Tensor* axes = PlanBuilder::ConstantOf(node.input(1));
  if (attributes == nullptr || axes == nullptr || shape.rank() == 0 ||
      data.type() != ElementType::kF32) {
    return false;
  }
  const auto lanes =
      LaneGeometryOf(shape, AxisFlags(ToInt64Vector(*axes), shape.rank()));
  if (!lanes || lanes->runs > 1) return false;
  Problem problem = {"normalize_l2", {}, *lanes, {}, {}, {}, {}};
  problem.norm = {false,
                  attributes->eps_mode == EpsMode::kAdd
                      ? "1 / sqrt(squares + eps)"
                      : "1 / sqrt(max(squares, eps))",
                  attributes->eps};
  DOVETAIL_ASSIGN_OR_RETURN(problem.input,
                            builder.Read(data, builder.StoredFormat(data)));
  const Value result = PlanBuilder::OutputOf(node);
  problem.output = builder.Write(result, builder.StorageFormat(result));
  AddNorm(node, problem, builder);
  return true;
}

absl::StatusOr<bool> EmitRmsNorm(const Node& node, PlanBuilder& builder) {
  const std::optional<RmsNorm> norm = RmsNormFrom(node);
  if (!norm || norm->x.type() != ElementType::kF32) return false;
  for (const Node* member : norm->nodes) {
    if (builder.CustomKernelOf(*member) != nullptr) return false;
  }
  const Shape shape = PlanBuilder::ShapeOf(norm->x);
  const Value result = PlanBuilder::OutputOf(*norm->nodes.front());
  if (norm->axes != std::vector<int64_t>{shape.rank() - 1} ||
      !builder.IsReady(norm->x) || PlanBuilder::ShapeOf(result) != shape ||
      (norm->gamma && !RepeatsByRow(PlanBuilder::ShapeOf(norm->gamma), shape,
                                    shape.rank() - 1))) {
    return false;
  }
  Problem problem = {"rms_norm", {}, {}, {}, {}, {}, {}};
  problem.norm = {false, kInsideRoot, norm->eps};
  problem.affine = Affine::kPlaces;
  problem.lanes.middle_stride = problem.lanes.length = shape.back();
  problem.lanes.middle = shape.Count() / shape.back();
  DOVETAIL_ASSIGN_OR_RETURN(
      problem.input, builder.Read(norm->x, builder.StoredFormat(norm->x)));
  if (norm->gamma) {
    DOVETAIL_ASSIGN_OR_RETURN(problem.scale, builder.ReadPlain(norm->gamma));
  }
  for (const Node* member : norm->nodes) {
    if (member != &node) builder.Fuse(*member);
  }
  problem.output = builder.Write(result, builder.StorageFormat(result));
  AddNorm(node, problem, builder);
  return true;
}

}  // namespace dovetail::gpu
