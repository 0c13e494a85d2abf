#include "dovetail/core/ops/detection/proposals/proposal.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// No anchor has a side of more pixels than a float tells apart.
constexpr int64_t kMaxPixels = 1 << 24;

absl::Status CheckAttributes(const InferContext& context,
                             const ProposalAttributes& attributes) {
  const std::pair<absl::string_view, int64_t> numbers[] = {
      {"base_size", attributes.base_size},
      {"pre_nms_topn", attributes.pre_nms_topn},
      {"post_nms_topn", attributes.post_nms_topn},
      {"feat_stride", attributes.feat_stride}};
  for (const auto& [name, value] : numbers) {
    if (value >= 1 && value <= kMaxPixels) continue;
    return context.Error("attribute ", name, " is ", value, ", want 1 to ",
                         kMaxPixels);
  }
  const std::pair<absl::string_view, const std::vector<double>&> lists[] = {
      {"ratio", attributes.ratio}, {"scale", attributes.scale}};
  for (const auto& [name, values] : lists) {
    const bool positive = std::all_of(values.begin(), values.end(),
                                      [](double v) { return v > 0; });
    if (!values.empty() && positive) continue;
    return context.Error("attribute ", name,
                         " has to be a list of positive numbers");
  }
  return absl::OkStatus();
}

// Input `input` has `want` channels.
absl::Status CheckChannels(const InferContext& context, int input, int64_t want,
                           absl::string_view why) {
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape[1].Contains(want)) return absl::OkStatus();
  return context.Error("input ", input, " has shape ", shape.ToString(),
                       ", want ", want, " channels: ", why);
}

absl::Status CheckInputs(const InferContext& context,
                         const ProposalAttributes& attributes) {
  for (int i = 0; i < 3; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, i == 2 ? 1 : 4));
  }
  const PartialShape& image = context.shape(2);
  if (image.rank_known() && !image[0].Contains(3) && !image[0].Contains(4)) {
    return context.Error("input 2 has shape ", image.ToString(),
                         ", want [3] or [4]");
  }
  const auto anchors =
      static_cast<int64_t>(attributes.ratio.size() * attributes.scale.size());
  DOVETAIL_RETURN_IF_ERROR(CheckChannels(
      context, 0, 2 * anchors, "two scores for each ratio and scale"));
  DOVETAIL_RETURN_IF_ERROR(CheckChannels(
      context, 1, 4 * anchors, "four numbers for each ratio and scale"));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 0, 2, 1, 2, "H").status());
  return RequireSameDimension(context, 0, 3, 1, 3, "W").status();
}

}  // namespace

absl::Span<const EnumName> EnumNames(ProposalFramework) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(ProposalFramework::kCaffe), ""},
      {static_cast<int>(ProposalFramework::kTensorFlow), "tensorflow"},
      {static_cast<int>(ProposalFramework::kCaffe), "caffe"},
  };
  return kNames;
}

void ProposalAttributes::Visit(AttributeVisitor& visitor) {
  visitor.Visit("base_size", base_size);
  visitor.Visit("pre_nms_topn", pre_nms_topn);
  visitor.Visit("post_nms_topn", post_nms_topn);
  visitor.Visit("nms_thresh", nms_thresh);
  visitor.Visit("feat_stride", feat_stride);
  visitor.Visit("min_size", min_size);
  visitor.Visit("ratio", ratio);
  visitor.Visit("scale", scale);
  visitor.Visit("clip_before_nms", clip_before_nms);
  visitor.Visit("clip_after_nms", clip_after_nms);
  visitor.Visit("normalize", normalize);
  visitor.Visit("box_size_scale", box_size_scale);
  visitor.Visit("box_coordinate_scale", box_coordinate_scale);
  visitor.Visit("framework", framework);
}

absl::Status InferProposal(InferContext& context) {
  const auto& attributes = context.attributes<ProposalAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckAttributes(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context, attributes));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension images,
                            RequireSameDimension(context, 0, 0, 1, 0, "N"));
  const Dimension rows = images * Dimension(attributes.post_nms_topn);
  context.SetOutput(0, context.type(0), PartialShape{rows, 5});
  if (context.node().op().version >= 4) {
    context.SetOutput(1, context.type(0), PartialShape{rows});
  }
  return absl::OkStatus();
}

}  // namespace dovetail
