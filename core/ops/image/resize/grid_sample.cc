#include "dovetail/core/ops/image/resize/grid_sample.h"

#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

constexpr EnumName kModeNames[] = {
    {static_cast<int>(GridSampleMode::kBilinear), "bilinear"},
    {static_cast<int>(GridSampleMode::kBicubic), "bicubic"},
    {static_cast<int>(GridSampleMode::kNearest), "nearest"},
};
constexpr EnumName kPaddingNames[] = {
    {static_cast<int>(GridSamplePadding::kZeros), "zeros"},
    {static_cast<int>(GridSamplePadding::kBorder), "border"},
    {static_cast<int>(GridSamplePadding::kReflection), "reflection"},
};

}  // namespace

absl::Span<const EnumName> EnumNames(GridSampleMode) { return kModeNames; }
absl::Span<const EnumName> EnumNames(GridSamplePadding) {
  return kPaddingNames;
}

absl::Status InferGridSample(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 4));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 4));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension batch,
                            RequireSameDimension(context, 0, 0, 1, 0, "N"));
  PartialShape output = PartialShape::OfRank(4);
  output[0] = batch;
  const PartialShape& data = context.shape(0);
  if (data.rank_known()) output[1] = data[1];
  const PartialShape& grid = context.shape(1);
  if (grid.rank_known()) {
    if (!grid[3].Contains(2)) {
      return context.Error("input 1 (grid) has shape ", grid.ToString(),
                           ", want 2 coordinates along axis 3");
    }
    output[2] = grid[1];
    output[3] = grid[2];
  }
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
