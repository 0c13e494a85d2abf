#include "dovetail/core/ops/detection/prior_box.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// What both operations check: two sizes of two integers each, variances.
absl::Status CheckInputs(const InferContext& context,
                         const std::vector<double>& variance) {
  for (const int input : {0, 1}) {
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, input));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 1));
    const PartialShape& shape = context.shape(input);
    if (shape.rank_known() && !shape[0].Contains(2)) {
      return context.Error("input ", input, " has shape ", shape.ToString(),
                           ", want [2]: height and width");
    }
  }
  if (variance.size() > 1 && variance.size() != 4) {
    return context.Error("attribute variance has ", variance.size(),
                         " numbers, want none, one or four");
  }
  return absl::OkStatus();
}

// The extent of boxes of a feature map of that size.
absl::Status SetBoxes(InferContext& context, int64_t per_cell) {
  Dimension numbers(4);
  if (const ValueRange* size = context.value(0)) {
    for (const ValueRange::Interval& extent : size->elements()) {
      if (extent.upper < 0) {
        return context.Error("input 0 has ", extent.upper,
                             ", want a height and width of at least 0");
      }
      numbers = numbers * ExtentOf({std::max(extent.lower, 0.0),
                                    extent.upper});
    }
  } else {
    numbers = Dimension();
  }
  numbers = numbers * Dimension(per_cell);
  if (numbers.min() >= Dimension::kInfinity - 1) {
    return context.Error("too many boxes");
  }
  context.SetOutput(0, ElementType::kF32, PartialShape{2, numbers});
  return absl::OkStatus();
}

// Boxes that a density puts in place of one, less that one; the density's
// fraction is cut off. Bounded, so that sums do not overflow.
double MoreByDensity(double density) {
  const double whole = std::trunc(density);
  return whole * whole - 1;
}

}  // namespace

std::vector<double> AspectRatios(const PriorBoxAttributes& attributes) {
  std::vector<double> ratios = {1};
  for (const double ratio : attributes.aspect_ratio) {
    const bool known =
        std::any_of(ratios.begin(), ratios.end(), [ratio](double other) {
          return std::fabs(ratio - other) < 1e-6;
        });
    if (known) continue;
    ratios.push_back(ratio);
    if (attributes.flip) ratios.push_back(1 / ratio);
  }
  return ratios;
}

int64_t PriorsPerCell(const PriorBoxAttributes& attributes) {
  const auto ratios = static_cast<double>(AspectRatios(attributes).size());
  const auto min_sizes = static_cast<double>(attributes.min_size.size());
  double count = attributes.scale_all_sizes
                     ? ratios * min_sizes +
                           static_cast<double>(attributes.max_size.size())
                     : ratios + min_sizes - 1;
  if (!attributes.fixed_size.empty()) {
    count = ratios * static_cast<double>(attributes.fixed_size.size());
  }
  for (const double density : attributes.density) {
    count += MoreByDensity(density) *
             (attributes.fixed_ratio.empty()
                  ? ratios
                  : static_cast<double>(attributes.fixed_ratio.size()));
  }
  constexpr double kMax = 1e6;  // in one cell; nothing real has hundreds
  return count >= 0 && count <= kMax ? static_cast<int64_t>(count) : -1;
}

std::unique_ptr<Attributes> MakePriorBox0Attributes() {
  auto attributes = std::make_unique<PriorBoxAttributes>();
  attributes->has_order = false;
  return attributes;
}

absl::Status InferPriorBox(InferContext& context) {
  const auto& attributes = context.attributes<PriorBoxAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context, attributes.variance));
  for (const double ratio : attributes.aspect_ratio) {
    if (!(ratio > 0)) {
      return context.Error("attribute aspect_ratio has ", ratio,
                           ", want numbers > 0");
    }
  }
  if (!attributes.density.empty() &&
      attributes.density.size() != attributes.fixed_size.size()) {
    return context.Error("attribute density has ", attributes.density.size(),
                         " numbers, fixed_size has ",
                         attributes.fixed_size.size());
  }
  const int64_t per_cell = PriorsPerCell(attributes);
  if (per_cell < 0) {
    return context.Error("the sizes and densities make no sensible number of "
                         "boxes a cell");
  }
  return SetBoxes(context, per_cell);
}

absl::Status InferPriorBoxClustered(InferContext& context) {
  const auto& attributes = context.attributes<PriorBoxClusteredAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context, attributes.variance));
  if (attributes.width.size() != attributes.height.size()) {
    return context.Error("attribute width has ", attributes.width.size(),
                         " numbers, height has ", attributes.height.size());
  }
  return SetBoxes(context, static_cast<int64_t>(attributes.width.size()));
}

}  // namespace dovetail
