#include "dovetail/backends/cpu/steps/linear/followers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "dovetail/backends/cpu/steps/elementwise/instruction.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

constexpr size_t kMostNodes = 16;
constexpr size_t kMostInputs = 8;

// Axes of extent 1 do not count: their strides are 0.
Strides StretchedStrides(const Shape& from, const Shape& to) {
  const Strides dense = DenseStrides(from);
  Strides strides(to.rank(), 0);
  const int shift = to.rank() - from.rank();
  for (int axis = 0; axis < from.rank(); ++axis) {
    if (from[axis] != 1) strides[axis + shift] = dense[axis];
  }
  return strides;
}

bool Stretches(const Shape& from, const Shape& to) {
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
std::optional<int64_t> RowStride(const Shape& shape, const Strides& strides,
                                 int row_axes) {
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
  Finder(Value value, int64_t rows, bool with_sums, const PlanBuilder& builder)
      : value_(value),
        shape_(PlanBuilder::ShapeOf(value)),
        row_axes_(RowAxes(shape_, rows)),
        with_sums_(with_sums),
        builder_(builder) {}

  absl::StatusOr<Followers> Run() {
    if (row_axes_ >= 0 && shape_.rank() >= 1) Grow();
    Shrink();
    Followers followers;
    followers.result = value_;
    if (nodes_.empty()) return followers;
    followers.nodes = nodes_;
    followers.result = PlanBuilder::OutputOf(*nodes_.back());
    DOVETAIL_RETURN_IF_ERROR(BuildProgram(followers));
    return followers;
  }

 private:
  bool Has(const Node* node) const {
    return std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end();
  }
  bool IsInside(Value value) const {
    return value == value_ || Has(value.node);
  }

  void Grow() {
    TakeReaders(*value_.node);
    for (size_t i = 0; i < nodes_.size(); ++i) TakeReaders(*nodes_[i]);
  }

  void TakeReaders(const Node& node) {
    for (const Use& use : node.port().uses) {
      if (nodes_.size() >= kMostNodes) return;
      if (!Has(use.node) && Fits(*use.node)) nodes_.push_back(use.node);
    }
  }

  bool Fits(const Node& node) const {
    if (!IsInstruction(node) || builder_.IsDone(node)) return false;
    if (node.port().type != ElementType::kF32 || !node.has_uses()) return false;
    if (PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)) != shape_) {
      return false;
    }
    for (int i = 0; i < OperandsOf(node); ++i) {
      if (!IsInside(node.input(i)) && !FitsInput(node, i)) return false;
    }
    return true;
  }

  bool FitsInput(const Node& node, int i) const {
    const Value input = node.input(i);
    if (!input || !builder_.IsReady(input)) return false;
    if (input.type() != ElementType::kF32) return false;
    const Shape from = AlignedShape(node, i);
    if (!Stretches(from, shape_)) return false;
    const Strides strides = StretchedStrides(from, shape_);
    return RowStride(shape_, strides, row_axes_).has_value();
  }

  // Nodes that have to be dropped are the last ones, so that the others still
  // have all they need.
  void Shrink() {
    while (!nodes_.empty() && !IsClosed()) nodes_.pop_back();
  }

  bool IsReadOutside(const Node& node) const {
    const auto& uses = node.port().uses;
    return std::any_of(uses.begin(), uses.end(),
                       [this](const Use& use) { return !Has(use.node); });
  }

  bool IsClosed() const {
    if (IsReadOutside(*value_.node)) return false;
    for (size_t i = 0; i + 1 < nodes_.size(); ++i) {
      if (IsReadOutside(*nodes_[i])) return false;
    }
    return InputCount() <= kMostInputs;
  }

  size_t InputCount() const {
    std::vector<Value> inputs;
    for (const Node* node : nodes_) {
      for (int i = 0; i < OperandsOf(*node); ++i) {
        if (!IsInside(node->input(i))) inputs.push_back(node->input(i));
      }
    }
    return inputs.size();
  }

  absl::Status BuildProgram(Followers& followers) {
    Value sum = value_;
    size_t done = 0;
    while (done < nodes_.size() && AddsTo(sum, *nodes_[done], followers)) {
      sum = PlanBuilder::OutputOf(*nodes_[done++]);
    }
    ElementwiseProgram::Builder program;
    std::map<Value, int> known = {{sum, program.AddInput(ElementType::kF32)}};
    for (; done < nodes_.size(); ++done) {
      const Node& node = *nodes_[done];
      std::vector<int> operands;
      for (int i = 0; i < OperandsOf(node); ++i) {
        operands.push_back(OperandOf(node, i, known, program, followers));
      }
      known[PlanBuilder::OutputOf(node)] =
          AddInstruction(node, operands, program);
    }
    program.Output(known[followers.result], ElementType::kF32);
    DOVETAIL_ASSIGN_OR_RETURN(followers.program, std::move(program).Build());
    return absl::OkStatus();
  }

  FollowersInput InputOf(const Node& node, int i) const {
    return {node.input(i), StretchedStrides(AlignedShape(node, i), shape_)};
  }

  // Whether all the node does is to add a tensor, which becomes bias or before.
  bool AddsTo(Value sum, const Node& node, Followers& followers) const {
    if (!with_sums_ || !node.Is("Add")) return false;
    if (sum.node->port().uses.size() != 1) return false;
    const int i = node.input(0) == sum ? 1 : 0;
    if (IsInside(node.input(i))) return false;
    const FollowersInput added = InputOf(node, i);
    if (added.strides.back() != 1) return false;
    const bool is_bias = *RowStride(shape_, added.strides, row_axes_) == 0;
    auto& place = is_bias && !followers.bias.has_value() ? followers.bias
                                                         : followers.before;
    if (place.has_value()) return false;
    place = added;
    return true;
  }

  int OperandOf(const Node& node, int i, std::map<Value, int>& known,
                ElementwiseProgram::Builder& program, Followers& followers) {
    const Value input = node.input(i);
    if (IsInside(input)) return known[input];
    const Tensor* constant = PlanBuilder::ConstantOf(input);
    if (constant != nullptr && constant->element_count() == 1) {
      return program.Constant(
          static_cast<float>(constant->ElementAsDouble(0)));
    }
    followers.inputs.push_back(InputOf(node, i));
    return program.AddInput(ElementType::kF32);
  }

  const Value value_;
  const Shape shape_;
  const int row_axes_;
  const bool with_sums_;
  const PlanBuilder& builder_;
  std::vector<const Node*> nodes_;
};

}  // namespace

absl::StatusOr<Followers> FindFollowers(Value value, int64_t rows,
                                        bool with_sums,
                                        const PlanBuilder& builder) {
  return Finder(value, rows, with_sums, builder).Run();
}

EpilogueInput EpilogueInputOf(const Shape& shape, const Strides& strides,
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

absl::Status TakeFollowers(const Followers& followers, PlanBuilder& builder,
                           std::vector<Operand>& operands) {
  std::vector<FollowersInput> inputs = followers.inputs;
  if (followers.bias.has_value()) inputs.push_back(*followers.bias);
  if (followers.before.has_value()) inputs.push_back(*followers.before);
  for (const FollowersInput& input : inputs) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(input.value));
    operands.push_back(operand);
  }
  builder.Fuse(followers.nodes);
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
