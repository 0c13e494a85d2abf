#include "dovetail/backends/cpu/steps/normalization/joined_channels.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/compiler/channel_constants.h"
#include "dovetail/backends/cpu/kernels/normalization/joined_pixels.h"
#include "dovetail/backends/cpu/steps/normalization/pixel_epilogue.h"
#include "dovetail/backends/cpu/steps/normalization/row_step.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/joining/concat.h"

namespace dovetail::cpu {
namespace {

// Results of as many pixels as the kernel is to take at a time.
constexpr int64_t kElementsOfTile = 1 << 12;

// Whether most of what is joined lies channels last, and nothing has to be
// copied at each inference but what lies otherwise.
bool LiesChannelsLast(const Node& node, const PlanBuilder& builder) {
  int64_t last = 0, all = 0;
  for (const Value part : node.inputs()) {
    if (PlanBuilder::IsConstant(part)) return false;
    const int64_t count = PlanBuilder::ShapeOf(part).Count();
    all += count;
    if (builder.FormatOf(part).layout == Layout::kChannelsLast) last += count;
  }
  return last * 2 > all;
}

bool JoinsChannels(const Node& node, const PlanBuilder& builder) {
  const auto* attributes = node.As<ConcatAttributes>();
  if (attributes == nullptr || node.port().type != ElementType::kF32) {
    return false;
  }
  const int rank = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)).rank();
  if (rank < 3 || rank > 5) return false;
  const auto axis = NormalizeAxis(attributes->axis, rank);
  return axis.ok() && *axis == 1 && LiesChannelsLast(node, builder);
}

std::vector<PixelPart> PartsOf(absl::Span<const Operand> operands) {
  std::vector<PixelPart> parts;
  for (const Operand& operand : operands) {
    parts.push_back({operand.shape[1], operand.format.type});
  }
  return parts;
}

// The step's inputs are the parts and, last, the numbers of the epilogue.
std::unique_ptr<Step> MakeStep(std::vector<PixelPart> parts, PixelEpilogue form,
                               int64_t pixels) {
  const int64_t at_a_time =
      std::max<int64_t>(1, kElementsOfTile / form.channels);
  const auto run = [=](const StepRun& run, int64_t begin, int64_t end) {
    PixelEpilogue epilogue = form;
    epilogue.numbers = run.input<float>(static_cast<int>(parts.size()));
    for (int64_t tile = begin; tile < end; ++tile) {
      const int64_t first = tile * at_a_time;
      FinishJoinedPixels(parts, run.inputs, epilogue, first,
                         std::min(first + at_a_time, pixels),
                         run.output<char>());
    }
  };
  return MakeUnitStep(CeilDivide(pixels, at_a_time), pixels * form.channels,
                      run);
}

}  // namespace

absl::StatusOr<bool> EmitJoinedChannels(const Node& node,
                                        PlanBuilder& builder) {
  if (!JoinsChannels(node, builder)) return false;
  const Value joined = PlanBuilder::OutputOf(node);
  FoundPixelEpilogue follows = FindPixelEpilogue(joined, builder);
  if (follows.epilogue.size() == 0 || follows.form.has_grid ||
      follows.form.output_type != ElementType::kF32) {
    return false;
  }
  std::vector<Operand> inputs;
  for (const Value part : node.inputs()) {
    const Format format = {builder.FormatOf(part).type, Layout::kChannelsLast};
    DOVETAIL_ASSIGN_OR_RETURN(Operand operand, builder.Read(part, format));
    operand.shape = PlanBuilder::ShapeOf(part);
    inputs.push_back(std::move(operand));
  }
  std::vector<PixelPart> parts = PartsOf(inputs);
  DOVETAIL_ASSIGN_OR_RETURN(inputs.emplace_back(),
                            AddChannelConstants(builder, follows.numbers));
  builder.Fuse(follows.epilogue.nodes());
  const Value result = follows.epilogue.result();
  follows.form.output_type = builder.StoredTypeOf(result);
  const Operand output =
      builder.Write(result, {follows.form.output_type, Layout::kChannelsLast});
  const Shape shape = PlanBuilder::ShapeOf(joined);
  builder.Add(node, "joined_channels",
              MakeStep(std::move(parts), follows.form,
                       shape[0] * shape.Count(2, shape.rank())),
              inputs, {output});
  return true;
}

}  // namespace dovetail::cpu
