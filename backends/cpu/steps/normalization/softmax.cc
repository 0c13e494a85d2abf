#include "dovetail/backends/cpu/steps/normalization/softmax.h"

#include <utility>
#include <vector>

#include "dovetail/backends/cpu/kernels/elementwise/elementwise_geometry.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"
#include "dovetail/backends/cpu/kernels/normalization/softmax.h"
#include "dovetail/backends/cpu/steps/elementwise/elementwise_step.h"
#include "dovetail/backends/cpu/steps/movement/moved_view.h"
#include "dovetail/backends/cpu/steps/normalization/row_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/softmax.h"

namespace dovetail::cpu {
namespace {

// Over the middle axis of {outer, length, inner}.
std::unique_ptr<Step> MakeSoftmaxStep(SoftmaxKind kind, int64_t outer,
                                      int64_t length, int64_t inner) {
  const int64_t elements = outer * length * inner;
  if (inner == 1) {
    return MakeUnitStep(
        outer, elements,
        [=](const StepRun& run, int64_t begin, int64_t end) {
          SoftmaxRows(kind, run.input<float>(0), run.output<float>(), length,
                      begin, end);
        });
  }
  return MakeUnitStep(
      SoftmaxColumnUnits(outer, inner), elements,
      [=](const StepRun& run, int64_t begin, int64_t end) {
        SoftmaxColumns(kind, run.input<float>(0), run.output<float>(), length,
                       inner, begin, end);
      });
}

// Pairs of numbers, as detectors have them for each box: 1 / (1 + exp(b - a)) and
// 1 / (1 + exp(a - b)), many at a time.
absl::Status EmitPairs(const Node& node, PlanBuilder& builder, int64_t count,
                       const Operand& input, const Operand& output) {
  ElementwiseProgram::Builder program;
  const auto a = program.AddInput(ElementType::kF32);
  const auto b = program.AddInput(ElementType::kF32);
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    const auto difference = program.Op(ElementwiseOp::kSubtract, {x, y});
    program.Output(program.Op(ElementwiseOp::kSigmoid, {difference}),
                   ElementType::kF32);
  }
  DOVETAIL_ASSIGN_OR_RETURN(ElementwiseProgram built,
                            std::move(program).Build());
  const std::vector<ElementwiseStrides> strides(2, {2});
  DOVETAIL_ASSIGN_OR_RETURN(
      ElementwiseGeometry geometry,
      MakeGeometry(built, {count}, strides, strides));
  const auto second = [](Operand operand) {
    operand.offset += static_cast<int64_t>(sizeof(float));
    return operand;
  };
  builder.Add(node, "softmax",
              MakeElementwiseStep(std::move(built), std::move(geometry)),
              {input, second(input)}, {output, second(output)});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitSoftmax(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<SoftmaxAttributes>();
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (attributes == nullptr || data.type() != ElementType::kF32 ||
      shape.rank() == 0) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, shape.rank()));
  Format format = {ElementType::kF32, builder.FormatOf(data).layout};
  if (ChannelBlock(format.layout) > 1) format.layout = Layout::kPlanar;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(data, format));
  const Operand output = builder.Write(PlanBuilder::OutputOf(node), format);
  const Shape stored = StoredShape(shape, format.layout);
  const int along = StoredAxis(axis, shape.rank(), format.layout);
  if (along + 1 == stored.rank() && stored[along] == 2 && node.Is("Softmax")) {
    DOVETAIL_RETURN_IF_ERROR(EmitPairs(node, builder, stored.Count(0, along),
                                       input, output));
    return true;
  }
  builder.AllowInPlace(output, input);
  builder.Add(node, "softmax",
              MakeSoftmaxStep(node.Is("LogSoftmax") ? SoftmaxKind::kLogSoftmax
                                                    : SoftmaxKind::kSoftmax,
                              stored.Count(0, along), stored[along],
                              stored.Count(along + 1, stored.rank())),
              {input}, {output});
  return true;
}

}  // namespace dovetail::cpu
