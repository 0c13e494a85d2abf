#include "dovetail/backends/cpu/steps/normalization/variance.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/common/fusion/scale_and_shift.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/kernels/normalization/variance.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/backends/cpu/steps/normalization/channels_last_step.h"
#include "dovetail/backends/cpu/steps/normalization/pixel_epilogue.h"
#include "dovetail/backends/cpu/steps/normalization/pixel_norm.h"
#include "dovetail/backends/cpu/steps/normalization/row_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/mvn.h"

namespace dovetail::cpu {
namespace {

// An MVN of f32 as its kernels see it.
struct MvnProblem {
  const Node* node = nullptr;
  Shape shape;
  int first_axis = 0;  // from which on all are normalised, and none before it
  VarianceOptions options;
};

// The axes of an MVN; nothing when they are computed.
std::optional<std::vector<int64_t>> SetMoments(const Node& node, int rank,
                                               VarianceOptions& options) {
  if (const auto* mvn = node.As<MvnAttributes>()) {
    options.epsilon = static_cast<float>(mvn->eps);
    // Version 0 adds epsilon as version 6 does with kInsideSqrt.
    options.divides = mvn->normalize_variance;
    return MvnAxes(*mvn, rank);
  }
  if (const auto* mvn6 = node.As<Mvn6Attributes>()) {
    options.epsilon = static_cast<float>(mvn6->eps);
    options.epsilon_in_root = mvn6->eps_mode == MvnEpsMode::kInsideSqrt;
    options.divides = mvn6->normalize_variance;
    return ConstantList(node, 1);
  }
  return std::nullopt;
}

// The first axis from which on all are normalized, and none before it; -1 for
// other axes. Axes of one element behind it count as normalized.
int FirstOfTrailing(const std::vector<int64_t>& sorted, const Shape& shape) {
  if (sorted.empty()) return shape.rank();
  const int first = static_cast<int>(sorted.front());
  for (int axis = first; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    if (!std::binary_search(sorted.begin(), sorted.end(), axis)) return -1;
  }
  return first;
}

absl::StatusOr<MvnProblem> ProblemOf(const Node& node) {
  const Value data = node.input(0);
  if (data.type() != ElementType::kF32) {
    return Unimplemented("data of ", ElementTypeName(data.type()));
  }
  MvnProblem problem;
  problem.node = &node;
  problem.shape = PlanBuilder::ShapeOf(data);
  const int rank = problem.shape.rank();
  auto axes = SetMoments(node, rank, problem.options);
  if (!axes) return Unimplemented("axes that are computed");
  for (int64_t& axis : *axes) {
    if (axis < 0) axis += rank;
  }
  std::sort(axes->begin(), axes->end());
  problem.first_axis = FirstOfTrailing(*axes, problem.shape);
  if (problem.first_axis < 0) return Unimplemented("axes before others");
  return problem;
}

// Rows along trailing axes, each number scaled and shifted by its place in the
// row where that follows.
absl::Status EmitRows(const Node& node, PlanBuilder& builder, int first,
                      const VarianceOptions& options) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const int64_t length = shape.Count(first, shape.rank());
  const ElementType from = ReadRowTypeOf(builder, node.input(0), length);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand input,
      builder.Read(node.input(0), {from, Layout::kPlanar}));
  DOVETAIL_ASSIGN_OR_RETURN(
      const ScaleAndShift after,
      FuseScaleAndShift(node, builder, [&](const Shape& own) {
        return RepeatsByRow(own, shape, first);
      }));
  const Value result = PlanBuilder::OutputOf(*after.last);
  const ElementType type = RowTypeOf(builder, result, length);
  const Operand output = builder.Write(result, {type, Layout::kPlanar});
  if (type == from) builder.AllowInPlace(output, input);
  builder.Add(
      node, "layer_norm",
      MakeRowStep(
          shape.Count(0, first), length, type,
          [=](const StepRun& run, int64_t begin, int64_t end, float* out) {
            ForRows(run, from, length, begin, end,
                    [&](const float* in, int64_t at, int64_t count) {
                      LayerNormRows({in, run.input<float>(1),
                                     run.input<float>(2), out + at * length},
                                    length, options, 0, count);
                    });
          }),
      {input, after.scale, after.shift}, {output});
  return absl::OkStatus();
}

// All spatial axes of channels one behind the other, each channel scaled and
// shifted by numbers of its own.
absl::Status EmitChannels(const Node& node, PlanBuilder& builder,
                          const VarianceOptions& options) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(
      const ScaleAndShift after,
      FuseScaleAndShift(node, builder, [&](const Shape& own) {
        return RepeatsByChannel(own, shape);
      }));
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(*after.last));
  const GroupShape layout = {shape[1], 1, shape.Count(2, shape.rank())};
  builder.AllowInPlace(output, input);
  builder.Add(node, "instance_norm",
              MakeUnitStep(shape[0] * shape[1], shape.Count(),
                           [=](const StepRun& run, int64_t begin, int64_t end) {
                             GroupNorm(OperandsOf(run), layout, options, begin,
                                       end);
                           }),
              {input, after.scale, after.shift}, {output});
  return absl::OkStatus();
}

// All spatial axes of channels in blocks.
absl::Status EmitBlocked(const Node& node, PlanBuilder& builder,
                         const Format& format, const VarianceOptions& options) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(node.input(0), format));
  DOVETAIL_ASSIGN_OR_RETURN(
      const ScaleAndShift after,
      FuseScaleAndShift(node, builder, [&](const Shape& own) {
        return RepeatsByChannel(own, shape);
      }));
  const Operand output =
      builder.Write(PlanBuilder::OutputOf(*after.last), format);
  const int block = static_cast<int>(ChannelBlock(format.layout));
  const BlockedShape blocked = {shape[1] / block, shape.Count(2, shape.rank()),
                                block};
  builder.AllowInPlace(output, input);
  builder.Add(node, "instance_norm",
              MakeUnitStep(shape[0] * blocked.blocks, shape.Count(),
                           [=](const StepRun& run, int64_t begin, int64_t end) {
                             InstanceNormBlocked(OperandsOf(run), blocked,
                                                 options, begin, end);
                           }),
              {input, after.scale, after.shift}, {output});
  return absl::OkStatus();
}

// All spatial axes of channels that are, all or in blocks, the last axis.
absl::Status EmitPixels(const Node& node, PlanBuilder& builder, Layout layout,
                        const VarianceOptions& options) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(
      const ScaleAndShift after,
      FuseScaleAndShift(node, builder, [&](const Shape& own) {
        return RepeatsByChannel(own, shape);
      }));
  PixelNorm norm = {"instance_norm", layout, shape[1], options};
  norm.scale = after.scale;
  norm.shift = after.shift;
  norm.result = PlanBuilder::OutputOf(*after.last);
  return EmitPixelNorm(node, norm, builder);
}

// Whether more follows that the kernels of pixels compute than a scale and a
// shift.
bool IsFinished(const Node& node, const PlanBuilder& builder) {
  const Epilogue follows =
      FindPixelEpilogue(PlanBuilder::OutputOf(node), builder).epilogue;
  for (size_t i = 0; i < follows.size(); ++i) {
    if (follows.Find<AffineOp>(i) == nullptr) return true;
  }
  return false;
}

absl::StatusOr<KernelOffer> TryPixels(const MvnProblem& problem,
                                      const PlanBuilder& builder) {
  if (problem.first_axis != 2) return Unimplemented("other axes than spatial");
  const Layout layout = builder.FormatOf(problem.node->input(0)).layout;
  if (!HasPixels(problem.shape, layout)) {
    return Unimplemented("channels that are not the last axis");
  }
  // Each block of channels by itself, at once, where nothing is done to it.
  const bool is_blocked = layout != Layout::kChannelsLast;
  if (is_blocked && !IsFinished(*problem.node, builder)) {
    return Unimplemented("blocks with nothing behind them");
  }
  KernelOffer offer;
  offer.source = layout;
  offer.emit = [&problem, layout](PlanBuilder& plan) {
    return EmitPixels(*problem.node, plan, layout, problem.options);
  };
  return offer;
}

absl::StatusOr<KernelOffer> TryBlocked(const MvnProblem& problem,
                                       const PlanBuilder& builder) {
  const Format format = {ElementType::kF32,
                         builder.FormatOf(problem.node->input(0)).layout};
  const int64_t block = ChannelBlock(format.layout);
  if (problem.first_axis != 2) return Unimplemented("other axes than spatial");
  if (block == 1) return Unimplemented("channels that are not in blocks");
  if (problem.shape[1] % block != 0) {
    return Unimplemented(problem.shape[1], " channels in blocks of ", block);
  }
  KernelOffer offer;
  offer.source = format.layout;
  offer.emit = [&problem, format](PlanBuilder& plan) {
    return EmitBlocked(*problem.node, plan, format, problem.options);
  };
  return offer;
}

absl::StatusOr<KernelOffer> TryChannels(const MvnProblem& problem,
                                        const PlanBuilder&) {
  if (problem.first_axis != 2) return Unimplemented("other axes than spatial");
  const auto fits = [&](const Shape& own) {
    return RepeatsByChannel(own, problem.shape);
  };
  if (!HasScaleOrShift(*problem.node, fits)) {
    return Unimplemented("no scale or shift of channels behind it");
  }
  KernelOffer offer;
  offer.emit = [&problem](PlanBuilder& plan) {
    return EmitChannels(*problem.node, plan, problem.options);
  };
  return offer;
}

// Takes every problem.
absl::StatusOr<KernelOffer> TryRows(const MvnProblem& problem,
                                    const PlanBuilder&) {
  KernelOffer offer;
  offer.emit = [&problem](PlanBuilder& plan) {
    return EmitRows(*problem.node, plan, problem.first_axis, problem.options);
  };
  return offer;
}

// In order of preference.
constexpr KernelCandidate<MvnProblem> kMvnKernels[] = {
    {"instance_norm_pixels", &TryPixels},
    {"instance_norm_blocked", &TryBlocked},
    {"instance_norm", &TryChannels},
    {"layer_norm", &TryRows},
};

}  // namespace

absl::StatusOr<bool> EmitMvn(const Node& node, PlanBuilder& builder) {
  return EmitFirst<MvnProblem>(kMvnKernels, node, ProblemOf(node), builder);
}

}  // namespace dovetail::cpu
