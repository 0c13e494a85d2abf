#include "dovetail/backends/batch/proof/row_rules.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/indexing/gather/gather_elements.h"
#include "dovetail/core/ops/indexing/ordering/one_hot.h"
#include "dovetail/core/ops/indexing/ordering/top_k.h"
#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/ops/movement/layout/shuffle_channels.h"
#include "dovetail/core/ops/normalization/mvn.h"
#include "dovetail/core/ops/normalization/softmax.h"
#include "dovetail/core/ops/shape_query/broadcast.h"

namespace dovetail::batch {
namespace {

using Rule = std::string (*)(const RowsOfNode&);

// ---- Rules ----

std::string Elementwise(const RowsOfNode& rows) {
  const int rank = rows.node->port().shape.rank();
  const auto* const binary = rows.node->As<BinaryAttributes>();
  if (binary != nullptr && binary->auto_broadcast == AutoBroadcast::kPdpd) {
    for (int i = 0; i < rows.node->input_count(); ++i) {
      if (ShapeOfInput(rows, i).rank() != rank) {
        return "aligns its inputs at their first axes";
      }
    }
  }
  return Aligned(rows, rank - 1 - rows.outputs[0]);
}

// Images of any number, one after the other: convolutions and the like.
std::string FirstAxis(const RowsOfNode& rows) {
  for (const int axis : rows.inputs) {
    if (axis > 0) return "takes its rows along axis 0 only";
  }
  for (const int axis : rows.outputs) {
    if (axis > 0) return "gives its rows along axis 0 only";
  }
  return "";
}

std::string FirstAxisOfData(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  return why.empty() ? FirstAxis(rows) : why;
}

// Their second output counts elements of the whole tensor.
std::string Pool(const RowsOfNode& rows) {
  if (rows.node->output_count() > 1 && !rows.node->port(1).uses.empty()) {
    return "gives indices of elements across all rows";
  }
  return FirstAxisOfData(rows);
}

std::string BatchNorm(const RowsOfNode& rows) {
  const int data = rows.node->Is("BatchNormInference-0") ? 2 : 0;
  for (int i = 0; i < rows.node->input_count(); ++i) {
    if (i != data && rows.inputs[i] != kNoAxis) {
      return "has statistics that differ from row to row";
    }
  }
  return FirstAxis(rows);
}

std::string Softmax(const RowsOfNode& rows) {
  const auto* const attributes = rows.node->As<SoftmaxAttributes>();
  if (attributes == nullptr) return "has no axis";
  return AwayFrom(rows, attributes->axis);
}

// Over the axes of the second input.
std::string OverAxes(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  return why.empty() ? AwayFromInput(rows, 1) : why;
}

std::string Mvn(const RowsOfNode& rows) {
  const auto* const old = rows.node->As<MvnAttributes>();
  if (old == nullptr) return OverAxes(rows);
  for (const int64_t axis : MvnAxes(*old, ShapeOfInput(rows, 0).rank())) {
    std::string why = AwayFrom(rows, axis);
    if (!why.empty()) return why;
  }
  return "";
}

std::string TopK(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  if (!why.empty()) return why;
  return AwayFrom(rows, rows.node->As<TopKAttributes>()->axis);
}

std::string Concat(const RowsOfNode& rows) {
  for (size_t i = 0; i < rows.inputs.size(); ++i) {
    if (rows.inputs[i] != rows.inputs[0] || rows.inputs[i] == kNoAxis) {
      return "joins rows with what is no row";
    }
  }
  return AwayFrom(rows, rows.node->As<ConcatAttributes>()->axis);
}

// Elements stay in their order, so those of a row stay together if as many
// axes' worth of elements are before it.
std::string Reshape(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  if (!why.empty()) return why;
  const int64_t before = ProductBefore(ShapeOfInput(rows, 0), rows.inputs[0]);
  const int64_t after = ProductBefore(rows.node->port().shape, rows.outputs[0]);
  return before == after ? "" : "puts its rows in another order";
}

std::string Transpose(const RowsOfNode& rows) {
  return OnlyFirstAreRows(rows, 1);
}

// Takes every row whole, the first one first.
std::string Slice(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  if (!why.empty()) return why;
  if (rows.is_shape[1]) return "begins at a place that depends on the batch";
  if (!KeepsExtent(rows)) return "takes a part of the rows";
  if (rows.node->input_count() < 4) return "";
  const auto steps = Integers(rows, 3);
  if (!steps.has_value()) return NeedsKnown(3);
  const bool forward =
      absl::c_all_of(*steps, [](int64_t step) { return step > 0; });
  return forward ? "" : "turns an axis round";
}

std::string Gather(const RowsOfNode& rows) {
  if (rows.inputs[2] != kNoAxis) return NeedsKnown(2);
  const auto axis = Integers(rows, 2);
  if (!axis.has_value() || axis->size() != 1) return NeedsKnown(2);
  const int64_t shared = BatchDims(*rows.node, ShapeOfInput(rows, 1).rank());
  const int data = rows.inputs[0], indices = rows.inputs[1];
  if (data != kNoAxis && indices != kNoAxis) {
    return data == indices && data < shared
               ? ""
               : "picks from all rows by indices of each";
  }
  if (shared > 0 && std::max(data, indices) < shared) {
    return "has rows in one of its inputs only";
  }
  return data == kNoAxis ? "" : AwayFrom(rows, (*axis)[0]);
}

std::string GatherElements(const RowsOfNode& rows) {
  if (rows.inputs[0] != rows.inputs[1]) {
    return "has rows in one of its inputs only";
  }
  return AwayFrom(rows, rows.node->As<GatherElementsAttributes>()->axis);
}

std::string Pad(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  if (!why.empty()) return why;
  const auto begin = Integers(rows, 1);
  if (!begin.has_value()) return NeedsKnown(1);
  const bool whole = KeepsExtent(rows) && (*begin)[rows.inputs[0]] == 0;
  return whole ? "" : "adds or takes rows";
}

std::string Interpolate(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  if (!why.empty()) return why;
  const InterpolateAttributes attributes =
      ResizeAttributesOf(*rows.node, ShapeOfInput(rows, 0).rank());
  const auto pads = [&](const std::vector<int64_t>& numbers) {
    const size_t axis = static_cast<size_t>(rows.inputs[0]);
    return axis < numbers.size() && numbers[axis] != 0;
  };
  const bool whole = KeepsExtent(rows) && !pads(attributes.pads_begin) &&
                     !pads(attributes.pads_end);
  return whole ? "" : MixesAlong(rows.inputs[0]);
}

std::string Broadcast(const RowsOfNode& rows) {
  std::string why = OnlyFirstAreRows(rows, 1);
  if (!why.empty()) return why;
  const auto* const attributes = rows.node->As<BroadcastAttributes>();
  if (attributes != nullptr && attributes->mode == BroadcastMode::kExplicit) {
    return "maps the axes of its rows itself";
  }
  if (attributes != nullptr && attributes->mode == BroadcastMode::kPdpd) {
    return "aligns its inputs at their first axes";
  }
  const int in = ShapeOfInput(rows, 0).rank() - rows.inputs[0];
  const int out = rows.node->port().shape.rank() - rows.outputs[0];
  return in == out && KeepsExtent(rows) ? "" : "repeats its rows";
}

std::string OneHot(const RowsOfNode& rows) { return OnlyFirstAreRows(rows, 1); }

std::string ShuffleChannels(const RowsOfNode& rows) {
  return AwayFrom(rows, rows.node->As<ShuffleChannelsAttributes>()->axis);
}

// The axes of one operand of a product, counted from the end, as they are once
// it is transposed.
struct Operand {
  int rows;  // kNoAxis: none
  int rank;
};

Operand OperandOf(const RowsOfNode& rows, int i, bool transposed) {
  const int rank = ShapeOfInput(rows, i).rank();
  if (rows.inputs[i] == kNoAxis) return {kNoAxis, rank};
  const int from_end = rank - 1 - rows.inputs[i];
  const bool swaps = transposed && from_end < 2;
  return {swaps ? 1 - from_end : from_end, rank};
}

std::string MatMul(const RowsOfNode& rows) {
  const auto* const attributes = rows.node->As<MatMulAttributes>();
  const Operand a = OperandOf(rows, 0, attributes->transpose_a);
  const Operand b = OperandOf(rows, 1, attributes->transpose_b);
  if (a.rank < 2 || b.rank < 2) return "multiplies by a vector";
  const bool sums = a.rows == 0 || b.rows == 1;
  if (sums) return "adds up over its rows";
  if (a.rows >= 2 || b.rows >= 2)
    return Aligned(rows, std::max(a.rows, b.rows));
  const bool both = a.rows != kNoAxis && b.rows != kNoAxis;
  return both ? "multiplies each row by every row" : "";
}

std::string Attention(const RowsOfNode& rows) {
  const int rank = rows.node->port().shape.rank();
  const int from_end = rank - 1 - rows.outputs[0];
  return from_end < 2 ? "looks at all rows" : Aligned(rows, from_end);
}

// ---- The table ----

struct Row {
  OpType type;
  Rule rule;
};

constexpr Row kRules[] = {
    {"Abs", Elementwise},
    {"Acos", Elementwise},
    {"Acosh", Elementwise},
    {"Add", Elementwise},
    {"Asin", Elementwise},
    {"Asinh", Elementwise},
    {"Atan", Elementwise},
    {"Atanh", Elementwise},
    {"BitwiseAnd", Elementwise},
    {"BitwiseLeftShift", Elementwise},
    {"BitwiseNot", Elementwise},
    {"BitwiseOr", Elementwise},
    {"BitwiseRightShift", Elementwise},
    {"BitwiseXor", Elementwise},
    {"Ceiling", Elementwise},
    {"Clamp", Elementwise},
    {"Convert", Elementwise},
    {"ConvertLike", FirstAxis},
    {"Cos", Elementwise},
    {"Cosh", Elementwise},
    {"Divide", Elementwise},
    {"Elu", Elementwise},
    {"Equal", Elementwise},
    {"Erf", Elementwise},
    {"ErfInv", Elementwise},
    {"Exp", Elementwise},
    {"FakeQuantize", Elementwise},
    {"Floor", Elementwise},
    {"FloorMod", Elementwise},
    {"Gelu", Elementwise},
    {"Greater", Elementwise},
    {"GreaterEqual", Elementwise},
    {"HSigmoid", Elementwise},
    {"HSwish", Elementwise},
    {"HardSigmoid", Elementwise},
    {"IsFinite", Elementwise},
    {"IsInf", Elementwise},
    {"IsNaN", Elementwise},
    {"Less", Elementwise},
    {"LessEqual", Elementwise},
    {"Log", Elementwise},
    {"LogicalAnd", Elementwise},
    {"LogicalNot", Elementwise},
    {"LogicalOr", Elementwise},
    {"LogicalXor", Elementwise},
    {"Maximum", Elementwise},
    {"Minimum", Elementwise},
    {"Mish", Elementwise},
    {"Mod", Elementwise},
    {"Multiply", Elementwise},
    {"Negative", Elementwise},
    {"NotEqual", Elementwise},
    {"Power", Elementwise},
    {"Relu", Elementwise},
    {"Round", Elementwise},
    {"Select", Elementwise},
    {"Selu", Elementwise},
    {"Sigmoid", Elementwise},
    {"Sign", Elementwise},
    {"Sin", Elementwise},
    {"Sinh", Elementwise},
    {"SoftPlus", Elementwise},
    {"SoftSign", Elementwise},
    {"Sqrt", Elementwise},
    {"SquaredDifference", Elementwise},
    {"Subtract", Elementwise},
    {"Swish", Elementwise},
    {"Tan", Elementwise},
    {"Tanh", Elementwise},
    {"Xor", Elementwise},

    {"AdaptiveAvgPool", Pool},
    {"AdaptiveMaxPool", Pool},
    {"AvgPool", Pool},
    {"MaxPool", Pool},
    {"BatchNormInference", BatchNorm},
    {"BinaryConvolution", FirstAxisOfData},
    {"Convolution", FirstAxisOfData},
    {"ConvolutionBackpropData", FirstAxisOfData},
    {"GroupConvolution", FirstAxisOfData},
    {"GroupConvolutionBackpropData", FirstAxisOfData},
    {"DepthToSpace", FirstAxisOfData},
    {"SpaceToDepth", FirstAxisOfData},
    {"ExtractImagePatches", FirstAxisOfData},
    {"GRN", FirstAxisOfData},
    {"GroupNormalization", FirstAxisOfData},
    {"PRelu", FirstAxisOfData},
    {"ReorgYolo", FirstAxisOfData},
    {"ShuffleChannels", ShuffleChannels},

    {"GRUCell", FirstAxis},
    {"GRUSequence", FirstAxis},
    {"LSTMCell-4", FirstAxis},
    {"LSTMSequence-5", FirstAxis},
    {"RNNCell", FirstAxis},
    {"RNNSequence", FirstAxis},

    {"LogSoftmax", Softmax},
    {"Softmax", Softmax},
    {"CumSum", OverAxes},
    {"LRN", OverAxes},
    {"NormalizeL2", OverAxes},
    {"ReduceL1", OverAxes},
    {"ReduceL2", OverAxes},
    {"ReduceLogicalAnd", OverAxes},
    {"ReduceLogicalOr", OverAxes},
    {"ReduceMax", OverAxes},
    {"ReduceMean", OverAxes},
    {"ReduceMin", OverAxes},
    {"ReduceProd", OverAxes},
    {"ReduceSum", OverAxes},
    {"Split", OverAxes},
    {"VariadicSplit", OverAxes},
    {"MVN", Mvn},
    {"TopK", TopK},

    {"Broadcast", Broadcast},
    {"Concat", Concat},
    {"Gather", Gather},
    {"GatherElements", GatherElements},
    {"Interpolate", Interpolate},
    {"MatMul", MatMul},
    {"OneHot", OneHot},
    {"Pad", Pad},
    {"Reshape", Reshape},
    {"ScaledDotProductAttention", Attention},
    {"Slice", Slice},
    {"Squeeze", Reshape},
    {"StridedSlice", Slice},
    {"Transpose", Transpose},
    {"Unsqueeze", Reshape},
};

// Inputs that may depend on how many rows there are, as they only say of what
// shape the output is, which is looked at by itself.
struct ShapeInput {
  OpType type;
  int input;
};
constexpr ShapeInput kShapeInputs[] = {{"Reshape", 1},
                                       {"Broadcast", 1},
                                       {"Slice", 2},
                                       {"StridedSlice", 2},
                                       {"Interpolate", 1}};

std::string DependsOnCount(const RowsOfNode& rows) {
  for (size_t i = 0; i < rows.is_shape.size(); ++i) {
    if (!rows.is_shape[i]) continue;
    const bool is_allowed =
        absl::c_any_of(kShapeInputs, [&](const ShapeInput& known) {
          return known.input == static_cast<int>(i) &&
                 rows.node->Is(known.type);
        });
    if (!is_allowed) {
      return absl::StrCat("has an input ", i,
                          " that depends on the size of the batch");
    }
  }
  return "";
}

}  // namespace

std::string WhyRowsMix(const RowsOfNode& rows) {
  const Row* const row = absl::c_find_if(
      kRules, [&](const Row& known) { return rows.node->Is(known.type); });
  if (row == std::end(kRules)) {
    return "is of an operation that has no rule for batches";
  }
  std::string why = DependsOnCount(rows);
  return why.empty() ? row->rule(rows) : why;
}

}  // namespace dovetail::batch
