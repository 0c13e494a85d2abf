#include "dovetail/backends/cpu/steps/narrowing.h"

#include <algorithm>

#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/cpu/compiler/compute_type_of.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/common/bf16_support.h"
#include "dovetail/backends/cpu/kernels/image/resize_bf16.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/steps/common/quantized_data.h"
#include "dovetail/backends/cpu/steps/elementwise/instruction.h"
#include "dovetail/backends/cpu/steps/linear/onednn/narrow_matmul.h"
#include "dovetail/transformations/common/movements.h"

namespace dovetail::cpu {
namespace {

bool IsOneOf(const Node& node, absl::Span<const OpType> types) {
  return std::any_of(types.begin(), types.end(),
                     [&](const OpType& type) { return node.Is(type); });
}

// Of compressed weights, which tiles multiply with many rows of bf16, as
// primitives do where weights are unpacked or are several matrices; the number
// of rows is that of all products with the one matrix.
bool RoundsForCompressed(const Node& node, const MachineModel& machine) {
  const Shape weights = PlanBuilder::ShapeOf(node.input(1));
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  if (!IsWeightExpression(node.input(1)) || weights.rank() < 2 ||
      result.rank() < 2 || result.Count() == 0) {
    return false;
  }
  const int64_t matrix =
      weights[weights.rank() - 1] * weights[weights.rank() - 2];
  if (weights.Count() > matrix) return HasBf16Products();
  const int64_t columns = result[result.rank() - 1];
  const int64_t rows = result.Count() / columns;
  return (HasBf16Tiles() && rows >= kManyNarrowRows) ||
         AreUnpackedOnce(rows, matrix / columns, columns, machine);
}

bool RoundsToBf16(const Use& use, const CompileSettings& settings) {
  static constexpr OpType kConvolutions[] = {"Convolution", "GroupConvolution",
                                             "ConvolutionBackpropData",
                                             "GroupConvolutionBackpropData"};
  const Node& node = *use.node;
  if (use.input != 0) return false;
  ElementType type = ElementType::kF32;
  if (IsOneOf(node, kConvolutions)) {
    type = FasterTypeOf(node, settings);
  } else if (node.Is("MatMul") &&
             (PlanBuilder::IsConstant(node.input(1)) ||
              RoundsForCompressed(node, settings.machine_model()))) {
    type = ComputeTypeOf(node, settings);
  }
  return type == ElementType::kBf16 && !IsOfQuantized(node.input(0));
}

// Results of these are off by no more, as a part of their greatest, than what
// is read; an exponential, a sine or a difference can be.
bool KeepsErrorsSmall(const Node& node) {
  static constexpr OpType kTypes[] = {
      "Abs",      "Add",      "Clamp",    "Elu",     "Gelu",
      "HSigmoid", "HSwish",   "Maximum",  "Minimum", "Mish",
      "Multiply", "Negative", "PRelu",    "Relu",    "Selu",
      "Sigmoid",  "SoftPlus", "SoftSign", "Swish",   "Tanh"};
  return IsInstruction(node) && IsOneOf(node, kTypes);
}

// Of images by all their spatial axes: what follows convolutions, whose numbers
// are about as large as they differ.
bool IsImageNorm(const Node& node) {
  if (node.Is("GroupNormalization")) return true;
  if (!node.Is("MVN") || node.input_count() < 2) return false;
  const Tensor* axes = PlanBuilder::ConstantOf(node.input(1));
  const PartialShape& shape = node.input(0).shape();
  if (axes == nullptr || !shape.is_static() || shape.rank() < 3 ||
      axes->element_count() != shape.rank() - 2) {
    return false;
  }
  for (int64_t i = 0; i < axes->element_count(); ++i) {
    const double axis = axes->ElementAsDouble(i);
    if ((axis < 0 ? axis + shape.rank() : axis) < 2) return false;
  }
  return true;
}

// Of pictures of so many channels that the kernel for bf16 takes them.
bool IsResizeOfManyChannels(const Node& node) {
  const PartialShape& shape = node.input(0).shape();
  return node.Is("Interpolate") && shape.is_static() && shape.rank() == 4 &&
         shape[1].value() >= Bf16Resize::kFewestChannels;
}

// Steps of all of them read and write what is stored as bf16.
bool PassesOn(const Use& use) {
  static constexpr OpType kMovements[] = {
      "AvgPool", "DepthToSpace",    "MaxPool",      "Pad",
      "Roll",    "ShuffleChannels", "Slice",        "SpaceToDepth",
      "Split",   "StridedSlice",    "VariadicSplit"};
  const Node& node = *use.node;
  if (node.Is("Concat") || KeepsErrorsSmall(node)) return true;
  return use.input == 0 && (IsMovement(node) || IsOneOf(node, kMovements) ||
                            IsImageNorm(node) || IsResizeOfManyChannels(node));
}

}  // namespace

NarrowValues FindNarrowValues(absl::Span<Node* const> order,
                              const CompileSettings& settings) {
  if (settings.compute_type != ElementType::kBf16) return {};
  const auto rounds = [&](const Use& use) {
    return RoundsToBf16(use, settings);
  };
  return {order, {rounds, &PassesOn}};
}

}  // namespace dovetail::cpu
