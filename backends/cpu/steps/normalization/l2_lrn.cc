#include "dovetail/backends/cpu/steps/normalization/l2_lrn.h"

#include <algorithm>
#include <vector>

#include "dovetail/backends/common/kernels/simd/columns.h"
#include "dovetail/backends/cpu/kernels/normalization/l2_lrn.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/backends/cpu/steps/normalization/row_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/lrn.h"
#include "dovetail/core/ops/normalization/normalize_l2.h"

namespace dovetail::cpu {
namespace {

// The axes in order, from 0 on; empty for what is no such list.
std::vector<int64_t> ContiguousAxes(const Node& node, int rank) {
  auto axes = ConstantList(node, 1);
  if (!axes) return {};
  for (int64_t& axis : *axes) {
    if (axis < 0) axis += rank;
  }
  std::sort(axes->begin(), axes->end());
  for (size_t i = 1; i < axes->size(); ++i) {
    if ((*axes)[i] != (*axes)[i - 1] + 1) return {};
  }
  return *axes;
}

}  // namespace

absl::StatusOr<bool> EmitNormalizeL2(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<NormalizeL2Attributes>();
  const Value data = node.input(0);
  if (attributes == nullptr || data.type() != ElementType::kF32) return false;
  const Shape shape = PlanBuilder::ShapeOf(data);
  const std::vector<int64_t> axes = ContiguousAxes(node, shape.rank());
  if (axes.empty()) return false;
  const int first = static_cast<int>(axes.front());
  const int end = static_cast<int>(axes.back()) + 1;
  const int64_t outer = shape.Count(0, first), length = shape.Count(first, end);
  const int64_t inner = shape.Count(end, shape.rank());
  L2Options options;
  options.epsilon = static_cast<float>(attributes->eps);
  options.epsilon_is_added = attributes->eps_mode == EpsMode::kAdd;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(data));
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(node));
  builder.AllowInPlace(output, input);
  const bool is_rows = inner == 1;
  builder.Add(
      node, "normalize_l2",
      MakeUnitStep(
          is_rows ? outer : host::ColumnUnits(outer, inner), shape.Count(),
          [=](const StepRun& run, int64_t begin, int64_t end) {
            if (is_rows) {
              NormalizeL2Rows(run.input<float>(0), run.output<float>(), length,
                              options, begin, end);
            } else {
              NormalizeL2Columns(run.input<float>(0), run.output<float>(),
                                 length, inner, options, begin, end);
            }
          }),
      {input}, {output});
  return true;
}

absl::StatusOr<bool> EmitLrn(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<LrnAttributes>();
  const Value data = node.input(0);
  if (attributes == nullptr || data.type() != ElementType::kF32) return false;
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (shape.rank() < 2 || attributes->size < 1 ||
      ContiguousAxes(node, shape.rank()) != std::vector<int64_t>{1}) {
    return false;
  }
  // The kernel's powers are of positive numbers.
  if (attributes->bias <= 0 || attributes->alpha < 0) return false;
  const int64_t channels = shape[1], area = shape.Count(2, shape.rank());
  const LrnOptions options = {static_cast<float>(attributes->alpha),
                              static_cast<float>(attributes->beta),
                              static_cast<float>(attributes->bias),
                              attributes->size};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.ReadPlain(data));
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(node));
  builder.Add(node, "lrn",
              MakeUnitStep(host::ColumnUnits(shape[0], area), shape.Count(),
                           [=](const StepRun& run, int64_t begin, int64_t end) {
                             LrnAcrossChannels(run.input<float>(0),
                                               run.output<float>(), channels,
                                               area, options, begin, end);
                           }),
              {input}, {output});
  return true;
}

}  // namespace dovetail::cpu
