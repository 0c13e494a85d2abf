#include "dovetail/backends/cpu/steps/normalization/softmax.h"

#include <utility>
#include <vector>

#include "dovetail/backends/cpu/compiler/kernel_list.h"
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
    return MakeUnitStep(outer, elements,
                        [=](const StepRun& run, int64_t begin, int64_t end) {
                          SoftmaxRows(kind, run.input<float>(0),
                                      run.output<float>(), length, begin, end);
                        });
  }
  return MakeUnitStep(SoftmaxColumnUnits(outer, inner), elements,
                      [=](const StepRun& run, int64_t begin, int64_t end) {
                        SoftmaxColumns(kind, run.input<float>(0),
                                       run.output<float>(), length, inner,
                                       begin, end);
                      });
}

// A softmax of f32 as its kernels see it, in the order of memory.
struct SoftmaxProblem {
  const Node* node = nullptr;
  Format format;  // of data and result
  Shape stored;
  int axis = 0;  // of `stored`
};

absl::StatusOr<SoftmaxProblem> ProblemOf(const Node& node,
                                         const PlanBuilder& builder) {
  const auto* attributes = node.As<SoftmaxAttributes>();
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (attributes == nullptr) return Unimplemented("an unknown version");
  if (data.type() != ElementType::kF32 || shape.rank() == 0) {
    return Unimplemented("data of ", ElementTypeName(data.type()), " and ",
                         shape.rank(), " axes");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, shape.rank()));
  SoftmaxProblem problem;
  problem.node = &node;
  problem.format = {ElementType::kF32, builder.FormatOf(data).layout};
  Layout& layout = problem.format.layout;
  if (ChannelBlock(layout) > 1) layout = Layout::kPlanar;
  problem.stored = StoredShape(shape, layout);
  problem.axis = StoredAxis(axis, shape.rank(), layout);
  return problem;
}

// Pairs of numbers, as detectors have them for each box: 1 / (1 + exp(b - a))
// and 1 / (1 + exp(a - b)), many at a time.
absl::Status EmitPairs(const SoftmaxProblem& problem, PlanBuilder& builder) {
  const Node& node = *problem.node;
  const int64_t count = problem.stored.Count(0, problem.axis);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(node.input(0), problem.format));
  const Operand output =
      builder.Write(PlanBuilder::OutputOf(node), problem.format);
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
  DOVETAIL_ASSIGN_OR_RETURN(ElementwiseGeometry geometry,
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

absl::StatusOr<KernelOffer> TryPairs(const SoftmaxProblem& problem,
                                     const PlanBuilder&) {
  const Shape& stored = problem.stored;
  if (!problem.node->Is("Softmax")) return Unimplemented("logarithms");
  if (problem.axis + 1 != stored.rank()) {
    return Unimplemented("numbers that do not lie side by side");
  }
  if (stored.back() != 2) return Unimplemented(stored.back(), " numbers");
  KernelOffer offer;
  offer.source = problem.format.layout;
  offer.emit = [&problem](PlanBuilder& plan) {
    return EmitPairs(problem, plan);
  };
  return offer;
}

absl::Status EmitAxis(const SoftmaxProblem& problem, PlanBuilder& builder) {
  const Node& node = *problem.node;
  const Shape& stored = problem.stored;
  const int axis = problem.axis;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(node.input(0), problem.format));
  const Operand output =
      builder.Write(PlanBuilder::OutputOf(node), problem.format);
  builder.AllowInPlace(output, input);
  builder.Add(node, "softmax",
              MakeSoftmaxStep(node.Is("LogSoftmax") ? SoftmaxKind::kLogSoftmax
                                                    : SoftmaxKind::kSoftmax,
                              stored.Count(0, axis), stored[axis],
                              stored.Count(axis + 1, stored.rank())),
              {input}, {output});
  return absl::OkStatus();
}

// Takes every problem.
absl::StatusOr<KernelOffer> TryAxis(const SoftmaxProblem& problem,
                                    const PlanBuilder&) {
  KernelOffer offer;
  offer.source = problem.format.layout;
  offer.emit = [&problem](PlanBuilder& plan) {
    return EmitAxis(problem, plan);
  };
  return offer;
}

// In order of preference.
constexpr KernelCandidate<SoftmaxProblem> kKernels[] = {
    {"softmax_pairs", &TryPairs},
    {"softmax", &TryAxis},
};

}  // namespace

absl::StatusOr<bool> EmitSoftmax(const Node& node, PlanBuilder& builder) {
  return EmitFirst<SoftmaxProblem>(kKernels, node, ProblemOf(node, builder),
                                   builder);
}

}  // namespace dovetail::cpu
