#include "dovetail/backends/gpu/steps/movement/pad.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/slicing/pad.h"

namespace dovetail::gpu {
namespace {

// Element c of an axis of the output is element c - before of the input's, or
// what stands for it.
struct PaddedAxis {
  int64_t extent = 1;  // of the output
  int64_t inside = 1;  // of the input
  int64_t before = 0;
  bool IsWhole() const { return before == 0 && extent == inside; }
};

struct Padding {
  std::vector<PaddedAxis> axes;
  // What stands for places outside: the name of the mode, and statements that
  // move `c` inside of [0, $0).
  const char* name;
  const char* text;
  bool has_value = false;  // places outside are the value to pad with
};

constexpr char kClamp[] = "c = clamp(c, 0, $0 - 1);\n";
constexpr char kReflect[] =
    "c = c < 0 ? -c : c;\n"
    "c = c >= $0 ? 2 * ($0 - 1) - c : c;\n"
    "c = clamp(c, 0, $0 - 1);\n";
constexpr char kSymmetric[] =
    "c = c < 0 ? -c - 1 : c;\n"
    "c = c >= $0 ? 2 * $0 - 1 - c : c;\n"
    "c = clamp(c, 0, $0 - 1);\n";
constexpr char kWrap[] = "c = c < 0 ? c + $0 : c;\n";

Padding PaddingOf(PadMode mode) {
  switch (mode) {
    case PadMode::kConstant:
      return {{}, "pad_constant", "", true};
    case PadMode::kEdge:
      return {{}, "pad_edge", kClamp};
    case PadMode::kReflect:
      return {{}, "pad_reflect", kReflect};
    case PadMode::kSymmetric:
      return {{}, "pad_symmetric", kSymmetric};
  }
  return {};
}

// Axes that nothing happens to become one with the axis before them, where this
// is no mirror, or whole too.
void Condense(Padding& padding) {
  const bool is_linear = padding.has_value || padding.text == kWrap;
  std::vector<PaddedAxis> result;
  for (const PaddedAxis& axis : padding.axes) {
    const bool joins = !result.empty() && axis.IsWhole() &&
                       (is_linear || result.back().IsWhole());
    if (!joins) {
      result.push_back(axis);
      continue;
    }
    PaddedAxis& outer = result.back();
    outer.extent *= axis.extent;
    outer.inside *= axis.extent;
    outer.before *= axis.extent;
  }
  if (result.empty()) result.push_back({});
  padding.axes = std::move(result);
}

// Rows of the last axis; where a place outside has the value, a whole row can
// lie outside.
void AddBody(Launch& launch, const Padding& padding) {
  const int last = static_cast<int>(padding.axes.size()) - 1;
  const auto inside = [&](int axis) {
    return absl::Substitute(padding.text, absl::StrCat("inside", axis));
  };
  launch.writer.Body("int rest = r, from = 0, stride = inside_last;\n");
  if (padding.has_value) launch.writer.Body("int outside = 0;\n");
  for (int axis = last - 1; axis >= 0; --axis) {
    launch.writer.Body(absl::Substitute(
        "{\nint c = rest % extent$0 - before$0;\nrest /= extent$0;\n$1$2"
        "from += c * stride;\nstride *= inside$0;\n}\n",
        axis, inside(axis),
        padding.has_value
            ? absl::Substitute("outside |= c < 0 || c >= inside$0;\n", axis)
            : ""));
  }
  launch.writer.Body(absl::Substitute(
      "for (int k = first; k < first + n; ++k) {\n"
      "int c = k - before_last;\n$0"
      "target[r * run + k] = $1source[from + c];\n}\n",
      absl::Substitute(padding.text, "inside_last"),
      padding.has_value ? "outside || c < 0 || c >= inside_last ? value[0] : "
                        : ""));
}

void AddPadding(const Node& node, PlanBuilder& builder, Padding padding,
                const Operand& data, const Operand& value,
                const Operand& target) {
  Condense(padding);
  const absl::string_view type = ClMoved(target.format.type);
  Launch launch;
  AddInput(launch, "source", type, data);
  if (padding.has_value) AddInput(launch, "value", type, value);
  AddOutput(launch, "target", type, target);
  const int last = static_cast<int>(padding.axes.size()) - 1;
  int64_t rows = 1;
  for (int axis = 0; axis < last; ++axis) {
    AddInt(launch, absl::StrCat("extent", axis), padding.axes[axis].extent);
    AddInt(launch, absl::StrCat("inside", axis), padding.axes[axis].inside);
    AddInt(launch, absl::StrCat("before", axis), padding.axes[axis].before);
    rows *= padding.axes[axis].extent;
  }
  AddInt(launch, "inside_last", padding.axes[last].inside);
  AddInt(launch, "before_last", padding.axes[last].before);
  AddRuns(launch, builder, rows, padding.axes[last].extent);
  AddBody(launch, padding);
  launch.kernel = KernelName(padding.name, target.format.type);
  builder.AddLaunch(node, std::move(launch));
}

// Adds the launch, in blocks where the data is stored so and channels, which
// have to stay 0 where they only fill a block, stay as they are.
absl::Status Emit(const Node& node, PlanBuilder& builder, Padding padding,
                  const Operand* value = nullptr) {
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  Format format = builder.FormatOf(node.input(0));
  const int64_t block = ChannelBlock(format.layout);
  if (block > 1 && (!padding.axes[1].IsWhole() || shape[1] % block != 0)) {
    format.layout = Layout::kPlanar;
  }
  if (format.layout == Layout::kBlocked16) {
    const int64_t blocks = shape[1] / block;
    padding.axes[1] = {blocks, blocks};
    padding.axes.push_back({block, block});
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), format));
  AddPadding(node, builder, std::move(padding), data,
             value != nullptr ? *value : Operand(),
             builder.Write(PlanBuilder::OutputOf(node), format));
  return absl::OkStatus();
}

// The value to pad with, as the launch reads it: of the data's type.
absl::StatusOr<Operand> ValueOperand(const Node& node, PlanBuilder& builder) {
  const ElementType type = builder.FormatOf(node.input(0)).type;
  if (node.input_count() > 3 && node.input(3)) {
    return builder.Read(node.input(3), {type, Layout::kPlanar});
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor zero, Tensor::Allocate(type, {}));
  return builder.AddConstant(zero);
}

}  // namespace

absl::StatusOr<bool> EmitPad(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<PadAttributes>();
  const auto begin = ConstantList(node, 1);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape output = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  if (attributes == nullptr || !begin || !IsCopied(node.port().type) ||
      static_cast<int>(begin->size()) != shape.rank()) {
    return false;
  }
  Padding padding = PaddingOf(attributes->pad_mode);
  for (int i = 0; i < shape.rank(); ++i) {
    padding.axes.push_back({output[i], shape[i], (*begin)[i]});
  }
  Operand value;
  if (padding.has_value) {
    DOVETAIL_ASSIGN_OR_RETURN(value, ValueOperand(node, builder));
  }
  DOVETAIL_RETURN_IF_ERROR(Emit(node, builder, std::move(padding), &value));
  return true;
}

absl::StatusOr<bool> EmitRoll(const Node& node, PlanBuilder& builder) {
  const auto shifts = ConstantList(node, 1), list = ConstantList(node, 2);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  if (!shifts || !list || !IsCopied(node.port().type) ||
      (shifts->size() != 1 && shifts->size() != list->size())) {
    return false;
  }
  Padding padding{{}, "roll", kWrap};
  for (const int64_t extent : shape) padding.axes.push_back({extent, extent});
  for (size_t i = 0; i < list->size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                              NormalizeAxis((*list)[i], shape.rank()));
    const int64_t extent = shape[axis];
    const int64_t by = (*shifts)[shifts->size() == 1 ? 0 : i] % extent;
    PaddedAxis& padded = padding.axes[axis];
    padded.before = (padded.before + by + extent) % extent;
  }
  DOVETAIL_RETURN_IF_ERROR(Emit(node, builder, std::move(padding)));
  return true;
}

}  // namespace dovetail::gpu
