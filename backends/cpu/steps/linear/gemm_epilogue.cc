#include "dovetail/backends/cpu/steps/linear/gemm_epilogue.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "dovetail/backends/common/fusion/elementwise_group.h"
#include "dovetail/backends/cpu/steps/elementwise/instruction.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr size_t kMaxNodes = 16;
constexpr size_t kMaxInputs = 8;

// Axes of extent 1 do not count: their strides are 0.
ElementStrides BroadcastedStrides(const Shape& from, const Shape& to) {
  const ElementStrides dense = DenseStrides(from);
  ElementStrides strides(to.rank(), 0);
  const int shift = to.rank() - from.rank();
  for (int axis = 0; axis < from.rank(); ++axis) {
    if (from[axis] != 1) strides[axis + shift] = dense[axis];
  }
  return strides;
}

bool Broadcasts(const Shape& from, const Shape& to) {
  const int shift = to.rank() - from.rank();
  if (shift < 0) return false;
  for (int axis = 0; axis < from.rank(); ++axis) {
    if (from[axis] != 1 && from[axis] != to[axis + shift]) return false;
  }
  return true;
}

// How many of the last axes but the very last make up `rows`; -1: they don't.
int RowAxes(const Shape& shape, int64_t rows) {
  int64_t product = 1;
  int axes = 0;
  for (int axis = shape.rank() - 2; axis >= 0; --axis) {
    if (product == rows) break;
    product *= shape[axis];
    ++axes;
  }
  return product == rows ? axes : -1;
}

// The distance between rows that several axes make up; nothing when there is no
// such number.
std::optional<int64_t> RowStride(const Shape& shape,
                                 const ElementStrides& strides, int row_axes) {
  std::optional<int64_t> stride;
  int64_t inner = 1;  // rows so far
  const int last = shape.rank() - 2;
  for (int axis = last; axis > last - row_axes; --axis) {
    if (shape[axis] == 1) continue;
    if (!stride.has_value()) {
      stride = strides[axis];
    } else if (strides[axis] != *stride * inner) {
      return std::nullopt;
    }
    inner *= shape[axis];
  }
  return stride.value_or(0);
}

class Finder {
 public:
  Finder(Value product, int64_t rows, bool with_sums,
         const PlanBuilder& builder)
      : product_(product),
        shape_(PlanBuilder::ShapeOf(product)),
        row_axes_(RowAxes(shape_, rows)),
        with_sums_(with_sums),
        builder_(builder) {}

  absl::StatusOr<GemmEpilogue> Run() {
    if (row_axes_ >= 0 && shape_.rank() >= 1) Grow();
    GemmEpilogue epilogue;
    epilogue.result = product_;
    if (nodes_.empty()) return epilogue;
    epilogue.nodes = nodes_;
    epilogue.result = PlanBuilder::OutputOf(*nodes_.back());
    DOVETAIL_RETURN_IF_ERROR(BuildProgram(epilogue));
    return epilogue;
  }

 private:
  void Grow() {
    const auto takes = [&](const Node& node) {
      return IsInstruction(node) && !builder_.IsDone(node) &&
             node.port().type == ElementType::kF32;
    };
    const auto reads = [&](const Node& node, int i) {
      return i >= OperandsOf(node) || ReadsInRows(node, i);
    };
    const auto is_readable = [](const Node&) { return true; };
    ElementwiseGroup group =
        GrowGroup(*product_.node, /*is_member=*/false,
                  {takes, reads, is_readable, kMaxNodes, kMaxInputs});
    KeepOneOutput(group);
    nodes_.assign(group.nodes.begin() + 1, group.nodes.end());
  }

  bool ReadsInRows(const Node& node, int i) const {
    const Value input = node.input(i);
    if (!builder_.IsReady(input) || input.type() != ElementType::kF32) {
      return false;
    }
    const Shape from = AlignedShape(node, i);
    if (!Broadcasts(from, shape_)) return false;
    const ElementStrides strides = BroadcastedStrides(from, shape_);
    return RowStride(shape_, strides, row_axes_).has_value();
  }

  bool IsInside(Value value) const {
    return value == product_ ||
           std::find(nodes_.begin(), nodes_.end(), value.node) != nodes_.end();
  }

  absl::Status BuildProgram(GemmEpilogue& epilogue) {
    Value sum = product_;
    size_t done = 0;
    while (done < nodes_.size() && AddsTo(sum, *nodes_[done], epilogue)) {
      sum = PlanBuilder::OutputOf(*nodes_[done++]);
    }
    ElementwiseProgram::Builder program;
    std::map<Value, int> known = {{sum, program.AddInput(ElementType::kF32)}};
    for (; done < nodes_.size(); ++done) {
      const Node& node = *nodes_[done];
      std::vector<int> operands;
      for (int i = 0; i < OperandsOf(node); ++i) {
        operands.push_back(OperandOf(node, i, known, program, epilogue));
      }
      known[PlanBuilder::OutputOf(node)] =
          AddInstruction(node, operands, program);
    }
    program.Output(known[epilogue.result], ElementType::kF32);
    DOVETAIL_ASSIGN_OR_RETURN(epilogue.program, std::move(program).Build());
    return absl::OkStatus();
  }

  GemmEpilogueInput InputOf(const Node& node, int i) const {
    return {node.input(i), BroadcastedStrides(AlignedShape(node, i), shape_)};
  }

  // Whether all the node does is to add a tensor, which becomes bias or
  // residual.
  bool AddsTo(Value sum, const Node& node, GemmEpilogue& epilogue) const {
    if (!with_sums_ || !node.Is("Add")) return false;
    if (sum.node->port().uses.size() != 1) return false;
    const int i = node.input(0) == sum ? 1 : 0;
    if (IsInside(node.input(i))) return false;
    const GemmEpilogueInput added = InputOf(node, i);
    if (added.strides.back() != 1) return false;
    const bool is_bias = *RowStride(shape_, added.strides, row_axes_) == 0;
    auto& place = is_bias && !epilogue.bias.has_value() ? epilogue.bias
                                                        : epilogue.residual;
    if (place.has_value()) return false;
    place = added;
    return true;
  }

  int OperandOf(const Node& node, int i, std::map<Value, int>& known,
                ElementwiseProgram::Builder& program, GemmEpilogue& epilogue) {
    const Value input = node.input(i);
    if (IsInside(input)) return known[input];
    const Tensor* constant = PlanBuilder::ConstantOf(input);
    if (constant != nullptr && constant->element_count() == 1) {
      return program.Constant(static_cast<float>(constant->ElementAsDouble(0)));
    }
    const GemmEpilogueInput read = InputOf(node, i);
    auto& inputs = epilogue.inputs;
    const auto it = std::find(inputs.begin(), inputs.end(), read);
    if (it != inputs.end()) return loaded_[it - inputs.begin()];
    inputs.push_back(read);
    loaded_.push_back(program.AddInput(ElementType::kF32));
    return loaded_.back();
  }

  const Value product_;
  const Shape shape_;
  const int row_axes_;
  const bool with_sums_;
  const PlanBuilder& builder_;
  std::vector<const Node*> nodes_;
  std::vector<int> loaded_;  // of the inputs, in the program
};

}  // namespace

absl::StatusOr<GemmEpilogue> FindGemmEpilogue(Value product, int64_t rows,
                                              bool with_sums,
                                              const PlanBuilder& builder) {
  return Finder(product, rows, with_sums, builder).Run();
}

EpilogueInput EpilogueInputOf(const Shape& shape, const ElementStrides& strides,
                              int64_t rows) {
  EpilogueInput input;
  const int row_axes = RowAxes(shape, rows);
  input.row_stride = RowStride(shape, strides, row_axes).value_or(0);
  input.column_stride = strides.back();
  input.offsets = {0};
  for (int axis = 0; axis < shape.rank() - 1 - row_axes; ++axis) {
    std::vector<int64_t> next;
    for (const int64_t offset : input.offsets) {
      for (int64_t i = 0; i < shape[axis]; ++i) {
        next.push_back(offset + i * strides[axis]);
      }
    }
    input.offsets = std::move(next);
  }
  return input;
}

absl::Status FuseGemmEpilogue(const GemmEpilogue& epilogue,
                              PlanBuilder& builder,
                              std::vector<Operand>& operands) {
  std::vector<GemmEpilogueInput> inputs = epilogue.inputs;
  if (epilogue.bias.has_value()) inputs.push_back(*epilogue.bias);
  if (epilogue.residual.has_value()) inputs.push_back(*epilogue.residual);
  for (const GemmEpilogueInput& input : inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(input.value));
    operands.push_back(operand);
  }
  builder.Fuse(epilogue.nodes);
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
