#include "dovetail/core/ops/image/resize/interpolate.h"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "dovetail/core/graph/op_info.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// Below 2^63, and still far too large for any tensor.
constexpr double kLargestExtent = 9.0e18;

// Positions are computed in float, which counts no further than this.
constexpr int64_t kMaxPad = int64_t{1} << 24;

bool IsPillow(ResizeMode mode) {
  return mode == ResizeMode::kBilinearPillow ||
         mode == ResizeMode::kBicubicPillow;
}

absl::Status CheckPads(const InferContext& context, absl::string_view name,
                       const std::vector<int64_t>& pads) {
  const PartialShape& data = context.shape(0);
  if (data.rank_known() && static_cast<int>(pads.size()) > data.rank()) {
    // Zeros at the end say nothing; a lone 0 stands for no padding at all.
    for (size_t i = data.rank(); i < pads.size(); ++i) {
      if (pads[i] == 0) continue;
      return context.Error("attribute '", name, "' has ", pads.size(),
                           " values, want at most ", data.rank(),
                           " for data of shape ", data.ToString());
    }
  }
  for (int64_t pad : pads) {
    if (pad < 0 || pad > kMaxPad) {
      return context.Error("attribute '", name, "' has the value ", pad,
                           ", want 0 to ", kMaxPad);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckInputs(const InferContext& context,
                         const ResizeInputs& inputs,
                         const InterpolateAttributes& attributes) {
  for (int input : {inputs.sizes, inputs.axes}) {
    if (input < 0) continue;
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, input));
    DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, input, 0, 1));
  }
  if (inputs.axes >= 0) {
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, inputs.axes, 1));
  }
  if (inputs.scales >= 0) {
    DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, inputs.scales));
    DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, inputs.scales, 0, 1));
  }
  if (context.node().op().version < 11 && IsPillow(attributes.mode)) {
    return context.Error("attribute 'mode' is one of Pillow's, which version "
                         "11 of the operation introduces");
  }
  DOVETAIL_RETURN_IF_ERROR(
      CheckPads(context, "pads_begin", attributes.pads_begin));
  return CheckPads(context, "pads_end", attributes.pads_end);
}

int64_t PadAt(const std::vector<int64_t>& pads, int axis) {
  return axis < static_cast<int>(pads.size()) ? pads[axis] : 0;
}

PartialShape PaddedShape(const InferContext& context,
                         const InterpolateAttributes& attributes) {
  PartialShape shape = context.shape(0);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    shape[axis] = shape[axis] + Dimension(PadAt(attributes.pads_begin, axis) +
                                          PadAt(attributes.pads_end, axis));
  }
  return shape;
}

absl::StatusOr<Dimension> SizeOf(const InferContext& context,
                                 const ValueRange::Interval& size) {
  if (size.upper < 0) {
    return context.Error("the sizes hold ", size.upper, ", want at least 0");
  }
  return ExtentOf(size);
}

absl::StatusOr<Dimension> ScaledDimension(const InferContext& context,
                                          const Dimension& extent,
                                          const ValueRange::Interval& scale) {
  if (scale.upper < 0) {
    return context.Error("the scales hold ", scale.upper, ", want at least 0");
  }
  const int64_t least = ScaledExtent(extent.min(), std::fmax(scale.lower, 0));
  const int64_t greatest = extent.max() == Dimension::kInfinity
                               ? Dimension::kInfinity
                               : ScaledExtent(extent.max(), scale.upper);
  return Dimension(least, greatest);
}

// Replaces the extents of the resized axes.
absl::Status ResizeAxes(const InferContext& context,
                        const std::vector<int>& axes,
                        const ResizeInputs& inputs, PartialShape& shape) {
  const int input = inputs.sizes >= 0 ? inputs.sizes : inputs.scales;
  const Dimension length = LengthOf(context, input);
  const int64_t count = static_cast<int64_t>(axes.size());
  if (length.max() < count) {
    return context.Error("input ", input, " has ", length.ToString(),
                         " elements, want one for each of ", count, " axes");
  }
  const ValueRange* values = context.value(input);
  for (int64_t i = 0; i < count; ++i) {
    Dimension& extent = shape[axes[i]];
    if (values == nullptr || values->size() < count) {
      extent = Dimension::Unknown();
    } else if (input == inputs.sizes) {
      DOVETAIL_ASSIGN_OR_RETURN(extent, SizeOf(context, (*values)[i]));
    } else {
      DOVETAIL_ASSIGN_OR_RETURN(
          extent, ScaledDimension(context, extent, (*values)[i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace

int64_t ScaledExtent(int64_t extent, double scale) {
  constexpr double kLittle = 1e-6;
  const double scaled =
      std::floor(static_cast<double>(extent) * (scale + kLittle));
  if (!(scaled > 0)) return 0;
  return scaled < kLargestExtent ? static_cast<int64_t>(scaled)
                                 : Dimension::kInfinity;
}

absl::StatusOr<std::optional<std::vector<int>>> ResizedAxes(
    const InferContext& context, int rank) {
  if (const auto* old = context.node().As<Interpolate0Attributes>()) {
    return SortedAxes(context, old->axes, rank, "attribute 'axes'");
  }
  const ResizeInputs inputs =
      ResizeInputsOf(context.node(), context.input_count());
  if (inputs.axes < 0) {
    std::vector<int> all(rank);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const auto axes = context.ints(inputs.axes);
  if (!axes.has_value()) return std::optional<std::vector<int>>();
  return CheckedAxes(context, *axes, rank,
                     absl::StrCat("input ", inputs.axes, " (axes)"));
}

absl::Status InferInterpolate(InferContext& context) {
  const ResizeInputs inputs =
      ResizeInputsOf(context.node(), context.input_count());
  const PartialShape& data = context.shape(0);
  // The rank decides only what is computed, not which shape comes out.
  const InterpolateAttributes attributes =
      ResizeAttributesOf(context.node(), data.rank_known() ? data.rank() : 0);
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context, inputs, attributes));
  if (!data.rank_known()) {
    context.SetOutput(0, context.type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  PartialShape output = PaddedShape(context, attributes);
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<std::vector<int>> axes,
                            ResizedAxes(context, data.rank()));
  if (axes.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(ResizeAxes(context, *axes, inputs, output));
  } else {
    output = PartialShape::OfRank(data.rank());
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
