#include "dovetail/backends/gpu/steps/elementwise/elementwise.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/common/fusion/elementwise_group.h"
#include "dovetail/backends/gpu/codegen/float_expressions.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/elementwise/broadcast_walk.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// More operands and more code make a kernel no faster.
constexpr size_t kMaxNodes = 24;
constexpr size_t kMaxInputs = 8;
constexpr size_t kMaxExtents = 6;

// A constant of one element, which becomes part of the text.
std::optional<double> NumberOf(Value value) {
  const Tensor* const tensor = PlanBuilder::ConstantOf(value);
  if (tensor == nullptr || tensor->element_count() != 1 ||
      tensor->type() != ElementType::kF32) {
    return std::nullopt;
  }
  return tensor->ElementAsDouble(0);
}

ElementwiseGroup GroupOf(const Node& node, const PlanBuilder& builder) {
  const auto takes = [&](const Node& other) {
    return HasExpression(other) && !builder.IsDone(other);
  };
  const auto reads = [&](const Node& other, int i) {
    return builder.IsReady(other.input(i));
  };
  const auto is_readable = [](const Node&) { return true; };
  return GrowGroup(node, /*is_member=*/true,
                   {takes, reads, is_readable, kMaxNodes, kMaxInputs});
}

// The extents of a value in the order of its memory, as many as a value of
// `rank` has: aligned at the end, and blocks of channels last.
std::vector<int64_t> StoredExtents(const Shape& shape, int rank,
                                   Layout layout) {
  std::vector<int64_t> extents(rank - shape.rank(), 1);
  for (int i = 0; i < shape.rank(); ++i) extents.push_back(shape[i]);
  if (layout == Layout::kPlanar) return extents;
  const int64_t block = ChannelBlock(layout);
  const bool has_channels = extents[1] != 1;
  extents[1] = (extents[1] + block - 1) / block;
  extents.push_back(has_channels ? block : 1);
  return extents;
}

// A group's kernel while it is put together.
class GroupKernel {
 public:
  GroupKernel(const ElementwiseGroup& group, PlanBuilder& builder)
      : group_(group), builder_(builder), layout_(ChooseLayout()) {}

  absl::StatusOr<bool> Emit() {
    CollectInputs();
    outputs_ = group_.Outputs();
    std::vector<std::vector<int64_t>> extents;
    const int rank = group_.shape.rank();
    for (const Value input : inputs_) {
      extents.push_back(
          StoredExtents(PlanBuilder::ShapeOf(input), rank, layout_));
    }
    const std::vector<int64_t> all = StoredExtents(group_.shape, rank, layout_);
    extents.push_back(all);  // of the outputs
    walk_ = WalkOf(all, extents);
    if (IsPadded() && walk_.extents.size() < 2) {
      // The number of a block has to be known.
      walk_.extents = {all[0] * all[1], walk_.inner() / (all[0] * all[1])};
      for (auto& strides : walk_.strides) {
        strides = {strides[0] * walk_.extents[1], strides[0]};
      }
    }
    if (walk_.extents.size() > kMaxExtents) return false;
    DOVETAIL_RETURN_IF_ERROR(AddLaunch());
    return true;
  }

 private:
  // Blocks of channels where the data is stored so and everything else can be:
  // of the same shape, one for each channel, or one number.
  Layout ChooseLayout() const {
    const int rank = group_.shape.rank();
    // One channel would be taken for one number.
    if (rank > 1 && group_.shape[1] == 1) return Layout::kPlanar;
    bool is_blocked = false;
    for (const Node* node : group_.nodes) {
      for (int i = 0; i < OperandsOf(*node); ++i) {
        const Value value = node->input(i);
        if (group_.Has(value.node)) continue;
        const Shape shape = PlanBuilder::ShapeOf(value);
        if (shape.Count() == 1) continue;
        if (shape.rank() != rank || value.type() != ElementType::kF32 ||
            !CanHaveLayout(shape, Layout::kBlocked16) ||
            shape[1] != group_.shape[1] ||
            (shape[0] != group_.shape[0] && shape[1] % 16 != 0)) {
          return Layout::kPlanar;
        }
        is_blocked |= shape == group_.shape &&
                      builder_.FormatOf(value).layout == Layout::kBlocked16;
      }
      if (node->port().type != ElementType::kF32) return Layout::kPlanar;
    }
    return is_blocked ? Layout::kBlocked16 : Layout::kPlanar;
  }

  bool IsPadded() const {
    return layout_ == Layout::kBlocked16 && group_.shape[1] % 16 != 0;
  }

  void CollectInputs() {
    for (const Node* node : group_.nodes) {
      for (int i = 0; i < OperandsOf(*node); ++i) {
        const Value value = node->input(i);
        if (group_.Has(value.node) || NumberOf(value).has_value()) continue;
        if (std::find(inputs_.begin(), inputs_.end(), value) == inputs_.end()) {
          inputs_.push_back(value);
        }
      }
    }
  }

  absl::Status AddLaunch() {
    Launch launch;
    launch.kernel = absl::StrCat("elementwise_", group_.nodes.size(), "_f32");
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Value value = inputs_[i];
      const bool is_one = PlanBuilder::ShapeOf(value).Count() == 1;
      const Format format = {value.type(), is_one ? Layout::kPlanar : layout_};
      DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                                builder_.Read(value, format));
      launch.writer.Input(absl::StrCat("x", i), ClType(value.type()));
      launch.inputs.push_back(operand);
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const Value value = PlanBuilder::OutputOf(*outputs_[i]);
      launch.writer.Output(absl::StrCat("y", i), ClType(value.type()));
      launch.outputs.push_back(builder_.Write(value, {value.type(), layout_}));
    }
    AllowInPlace(launch);
    AddSizes(launch);
    const int lanes = builder_.lanes().lanes;
    launch.writer.Body(Body(lanes));
    launch.range = Range(lanes);
    for (size_t i = 1; i < group_.nodes.size(); ++i) {
      builder_.Fuse(*group_.nodes[i]);
    }
    builder_.AddLaunch(*group_.nodes[0], std::move(launch));
    return absl::OkStatus();
  }

  // Each work item reads its elements before it writes them.
  void AllowInPlace(const Launch& launch) {
    if (outputs_.size() != 1) return;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (PlanBuilder::ShapeOf(inputs_[i]) == group_.shape &&
          inputs_[i].type() == outputs_[0]->port().type &&
          !PlanBuilder::IsConstant(inputs_[i])) {
        builder_.AllowInPlace(launch.outputs[0], launch.inputs[i],
                              /*alone=*/true);
        return;
      }
    }
  }

  void AddInt(Launch& launch, const std::string& name, int64_t value) {
    launch.writer.Int(name);
    launch.scalars.push_back(static_cast<int32_t>(value));
  }

  // Extents but the outermost, and strides but the innermost.
  void AddSizes(Launch& launch) {
    AddInt(launch, "inner", walk_.inner());
    AddInt(launch, "outer", walk_.outer());
    const size_t last = walk_.extents.size() - 1;
    for (size_t d = 1; d < last; ++d) {
      AddInt(launch, absl::StrCat("extent", d), walk_.extents[d]);
    }
    for (size_t k = 0; k < walk_.strides.size(); ++k) {
      for (size_t d = 0; d < last; ++d) {
        AddInt(launch, absl::StrCat("stride", k, "_", d), walk_.strides[k][d]);
      }
    }
    if (IsPadded()) {
      const std::vector<int64_t> all =
          StoredExtents(group_.shape, group_.shape.rank(), layout_);
      AddInt(launch, "channels", group_.shape[1]);
      AddInt(launch, "blocks", all[1]);
      AddInt(launch, "outer_of_block", walk_.outer() / (all[0] * all[1]));
    }
  }

  NdRange Range(int lanes) const {
    NdRange range;
    range.dims = 2;
    const int64_t vectors = (walk_.inner() + lanes - 1) / lanes;
    const int64_t group =
        std::min<int64_t>(builder_.lanes().group, vectors < 8 ? 1 : vectors);
    range.local[0] = group;
    range.local[1] = 1;
    range.global[0] = (vectors + group - 1) / group * group;
    range.global[1] = walk_.outer();
    return range;
  }

  // ---- Text ----

  // Where operand `k` of the item's outer place begins.
  std::string Places() const {
    const size_t last = walk_.extents.size() - 1;
    std::string text = "int rest = get_global_id(1);\n";
    if (IsPadded()) {
      absl::StrAppend(&text,
                      "const int left = channels - rest / outer_of_block % "
                      "blocks * 16;\n");
    }
    std::vector<std::string> sums(walk_.strides.size(), "0");
    for (size_t d = last; d-- > 0;) {
      const std::string index =
          d == 0 ? "rest" : absl::StrCat("(rest % extent", d, ")");
      absl::StrAppend(&text, "const int index", d, " = ", index, ";\n");
      if (d > 0) absl::StrAppend(&text, "rest /= extent", d, ";\n");
      for (size_t k = 0; k < sums.size(); ++k) {
        absl::StrAppend(&sums[k], " + index", d, " * stride", k, "_", d);
      }
    }
    for (size_t k = 0; k < sums.size(); ++k) {
      absl::StrAppend(&text, "const int at", k, " = ", sums[k], ";\n");
    }
    return text;
  }

  std::string Load(size_t k, int lanes) const {
    const bool is_mask = inputs_[k].type() == ElementType::kBoolean;
    const std::string pointer = absl::StrCat("x", k, " + at", k);
    std::string element;
    if (walk_.strides[k].back() == 0) {
      element = absl::StrCat("*(", pointer, ")");
    } else if (lanes == 1) {
      element = absl::StrCat("(", pointer, ")[j]");
    } else {
      element = absl::StrCat("vload", lanes, "(0, ", pointer, " + j)");
      return is_mask ? absl::StrCat("convert_int", lanes, "(", element, ")")
                     : element;
    }
    return absl::StrCat("(", is_mask ? "int" : "float",
                        lanes == 1 ? "" : absl::StrCat(lanes), ")(", element,
                        ")");
  }

  std::string Store(size_t i, const std::string& value, int lanes) const {
    const bool is_mask = outputs_[i]->port().type == ElementType::kBoolean;
    const std::string pointer = absl::StrCat("y", i, " + at", inputs_.size());
    if (lanes == 1) return absl::StrCat("(", pointer, ")[j] = ", value, ";\n");
    return absl::StrCat(
        "vstore", lanes, "(",
        is_mask ? absl::StrCat("convert_uchar", lanes, "(", value, ")") : value,
        ", 0, ", pointer, " + j);\n");
  }

  // What is behind the channels stays 0.
  std::string Masked(const std::string& value, int lanes) const {
    if (!IsPadded()) return value;
    if (lanes == 1) return absl::StrCat("(j % 16 < left ? ", value, " : 0)");
    std::vector<int> numbers(lanes);
    for (int i = 0; i < lanes; ++i) numbers[i] = i;
    return absl::Substitute(
        "((int$0)(j % 16) + (int$0)($1) < left ? $2 : (float$0)(0.0f))", lanes,
        absl::StrJoin(numbers, ", "), value);
  }

  // Statements on the elements from j on.
  std::string Statements(int lanes) const {
    std::string text;
    std::map<const Node*, std::string> names;
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const bool is_mask = inputs_[k].type() == ElementType::kBoolean;
      absl::StrAppend(&text, "const ", TypeText(is_mask, lanes), " v", k, " = ",
                      Load(k, lanes), ";\n");
    }
    for (size_t n = 0; n < group_.nodes.size(); ++n) {
      const Node& node = *group_.nodes[n];
      std::vector<std::string> operands;
      for (int i = 0; i < OperandsOf(node); ++i) {
        operands.push_back(OperandText(node.input(i), names, lanes));
      }
      const std::string name = absl::StrCat("w", n);
      names[&node] = name;
      absl::StrAppend(
          &text, "const ",
          TypeText(node.port().type == ElementType::kBoolean, lanes), " ", name,
          " = ", ExpressionOf(node, operands, lanes), ";\n");
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      absl::StrAppend(&text,
                      Store(i, Masked(names.at(outputs_[i]), lanes), lanes));
    }
    return text;
  }

  static std::string TypeText(bool is_mask, int lanes) {
    return absl::StrCat(is_mask ? "int" : "float",
                        lanes == 1 ? "" : absl::StrCat(lanes));
  }

  std::string OperandText(Value value,
                          const std::map<const Node*, std::string>& names,
                          int lanes) const {
    if (const auto it = names.find(value.node); it != names.end()) {
      return it->second;
    }
    if (const auto number = NumberOf(value)) {
      return absl::StrCat("((", TypeText(false, lanes), ")(",
                          FloatLiteral(*number), "))");
    }
    const auto it = std::find(inputs_.begin(), inputs_.end(), value);
    return absl::StrCat("v", it - inputs_.begin());
  }

  std::string Body(int lanes) const {
    if (lanes == 1) {
      return absl::StrCat(Places(),
                          "const int j = get_global_id(0);\n"
                          "if (j >= inner) return;\n",
                          Statements(1));
    }
    return absl::Substitute(
        "$0int j = get_global_id(0) * $1;\n"
        "if (j + $1 <= inner) {\n$2return;\n}\n"
        "for (; j < inner; ++j) {\n$3}\n",
        Places(), lanes, Statements(lanes), Statements(1));
  }

  const ElementwiseGroup& group_;
  PlanBuilder& builder_;
  const Layout layout_;
  std::vector<Value> inputs_;
  std::vector<const Node*> outputs_;
  BroadcastWalk walk_;
};

}  // namespace

absl::StatusOr<bool> EmitElementwise(const Node& node, PlanBuilder& builder) {
  if (!HasExpression(node)) return false;
  ElementwiseGroup group = GroupOf(node, builder);
  DOVETAIL_ASSIGN_OR_RETURN(const bool emitted,
                            GroupKernel(group, builder).Emit());
  if (emitted || group.nodes.size() == 1) return emitted;
  // Fewer operands may be walked together.
  group.nodes.resize(1);
  return GroupKernel(group, builder).Emit();
}

}  // namespace dovetail::gpu
