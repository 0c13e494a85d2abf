#include "dovetail/backends/gpu/steps/pooling/pooling.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/pooling/avg_pool.h"
#include "dovetail/core/ops/pooling/max_pool.h"
#include "dovetail/core/ops/pooling/pool_shape.h"
#include "dovetail/core/reference/pooling/windows.h"

namespace dovetail::gpu {
namespace {

// What each window covers, axis by axis.
using Windows = std::vector<std::vector<Covered>>;

struct Problem {
  const Node* node;
  bool is_max = false;
  bool counts_padding = false;  // in means
  int64_t index_period = 1;     // see MaxPool8Attributes::axis
  Windows axes;
};

// Outermost first; those that are missing are one window over one element.
std::array<int64_t, 3> Extents(const Shape& shape) {
  std::array<int64_t, 3> extents = {1, 1, 1};
  for (int i = 2; i < shape.rank(); ++i) {
    extents[3 - shape.rank() + i] = shape[i];
  }
  return extents;
}

// Of each window of each axis: the first element, how many, and how many with
// those of the padding that count. One launch serves all kinds of windows so.
absl::StatusOr<Operand> WindowTable(const Problem& problem,
                                    PlanBuilder& builder) {
  std::vector<int32_t> table;
  const auto add = [&](const Covered& window) {
    for (const int64_t number :
         {window.first, window.count, window.count_with_padding}) {
      table.push_back(static_cast<int32_t>(number));
    }
  };
  for (size_t i = problem.axes.size(); i < 3; ++i) add({0, 1, 1, 1});
  for (const std::vector<Covered>& axis : problem.axes) {
    for (const Covered& window : axis) add(window);
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const Tensor tensor,
      Tensor::FromValues<int32_t>(Shape{static_cast<int64_t>(table.size())},
                                  table));
  return builder.AddConstant(tensor);
}

bool HasEmptyWindow(const Windows& axes) {
  for (const std::vector<Covered>& axis : axes) {
    for (const Covered& window : axis) {
      if (window.count == 0) return true;
    }
  }
  return false;
}

// The number of which is what a window without elements has.
std::string Least(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return "-FLT_MAX";
    case ElementType::kI8:
      return "CHAR_MIN";
    case ElementType::kI16:
      return "SHRT_MIN";
    case ElementType::kI32:
      return "INT_MIN";
    case ElementType::kI64:
      return "LONG_MIN";
    default:
      return "0";
  }
}

// ---- Text ----

// Where an item's window lies: z, y and x are entries of the table.
constexpr char kWindow[] =
    "const int ox = item % out_x, oy = item / out_x % out_y;\n"
    "const int oz = item / out_x / out_y % out_z;\n"
    "const int plane = item / out_x / out_y / out_z;\n"
    "const __global int* z = table + 3 * oz;\n"
    "const __global int* y = table + 3 * (out_z + oy);\n"
    "const __global int* x = table + 3 * (out_z + out_y + ox);\n"
    "const int first = plane * in_z * in_y * in_x;\n";

// `each` for every element, whose number in the data is `at`.
std::string Walk(absl::string_view each) {
  return absl::StrCat(
      "for (int i = 0; i < z[1]; ++i) {\n"
      "  const int slice = first + (z[0] + i * step_z) * in_y * in_x;\n"
      "  for (int j = 0; j < y[1]; ++j) {\n"
      "    const int row = slice + (y[0] + j * step_y) * in_x + x[0];\n"
      "    for (int k = 0; k < x[1]; ++k) {\n"
      "      const int at = row + k * step_x;\n      ",
      each, "\n    }\n  }\n}\n");
}

// What is no number is replaced by anything, and so is the start.
std::string MaxText() {
  return absl::StrCat(
      "const int covered = z[1] * y[1] * x[1];\n$V best = NAN;\n",
      Walk("const $V other = $LOAD(data + at * $L);\n"
           "      best = other > best || best != best ? other : best;"),
      "if (covered == 0) best = -FLT_MAX;\n$STORE(best, out + item * $L);\n");
}

std::string IndexedMaxText(ElementType type, absl::string_view element,
                           absl::string_view index) {
  std::string text = absl::StrCat(
      element, " best = ", Least(type), ";\nint found = -1;\n",
      Walk(absl::StrCat(
          "const ", element, " other = data[at];\n",
          "      if (found < 0 || other > best || best != best) {\n"
          "        best = other;\n        found = at;\n      }")),
      "out[item] = best;\n");
  if (!index.empty()) {
    // Of nothing, the first element of the plane.
    absl::StrAppend(&text, "indices[item] = (", index,
                    ")((found < 0 ? first : found) % period);\n");
  }
  return text;
}

std::string MeanText(const Problem& problem) {
  const int count = problem.counts_padding ? 2 : 1;
  return absl::StrCat("const float count = z[", count, "] * y[", count,
                      "] * x[", count, "];\n$V sum = 0;\n",
                      Walk("sum += $LOAD(data + at * $L);"),
                      "$STORE(sum / count, out + item * $L);\n");
}

// ---- The launch ----

void AddNumbers(LaneLaunch& launch, const Problem& problem) {
  const auto in = Extents(PlanBuilder::ShapeOf(problem.node->input(0)));
  const auto out =
      Extents(PlanBuilder::ShapeOf(PlanBuilder::OutputOf(*problem.node)));
  constexpr const char* kAxes[] = {"z", "y", "x"};
  const size_t missing = 3 - problem.axes.size();
  for (size_t i = 0; i < 3; ++i) {
    launch.Int(absl::StrCat("in_", kAxes[i]), in[i]);
    launch.Int(absl::StrCat("out_", kAxes[i]), out[i]);
    launch.Int(absl::StrCat("step_", kAxes[i]),
               i < missing ? 1 : problem.axes[i - missing][0].step);
  }
  launch.Int("period", problem.index_period);
}

// Vectors of channels, or floats.
absl::StatusOr<bool> EmitFloats(const Problem& problem, PlanBuilder& builder) {
  const Node& node = *problem.node;
  Format format = builder.FormatOf(node.input(0));
  // A window of nothing would write other padding than zeros.
  if (format.layout != Layout::kBlocked16 || HasEmptyWindow(problem.axes)) {
    format.layout = Layout::kPlanar;
  }
  const bool blocked = format.layout == Layout::kBlocked16;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.Read(node.input(0), format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand table, WindowTable(problem, builder));
  const Value result = PlanBuilder::OutputOf(node);
  const Operand output =
      builder.Write(result, builder.StorageFormat(result, format.layout));
  const int lanes = blocked ? 16 : 1;
  LaneLaunch launch(builder, lanes);
  launch.Input("data", input);
  launch.Input("table", "int", table);
  launch.Output("out", output);
  AddNumbers(launch, problem);
  launch.Items(StoredElements(output.shape, format.layout) / lanes,
               /*heavy=*/false);
  launch.Body(kWindow);
  launch.Body(problem.is_max ? MaxText() : MeanText(problem));
  builder.AddLaunch(node, launch.Finish(KernelName(
                              absl::StrCat(problem.is_max ? "max" : "avg",
                                           "_pool", blocked ? "_blocked" : ""),
                              output.format.type)));
  return true;
}

// Any type, and indices.
absl::StatusOr<bool> EmitIndexed(const Problem& problem, bool with_indices,
                                 PlanBuilder& builder) {
  const Node& node = *problem.node;
  const ElementType type = node.input(0).type();
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand table, WindowTable(problem, builder));
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(node));
  const std::string element(ClType(type));
  LaneLaunch launch(builder, 1);
  launch.Input("data", element, input);
  launch.Input("table", "int", table);
  launch.Output("out", element, output);
  std::string index;
  if (with_indices) {
    const Value indices = PlanBuilder::OutputOf(node, 1);
    index = std::string(ClType(indices.type()));
    launch.Output("indices", index, builder.WritePlain(indices));
  }
  AddNumbers(launch, problem);
  launch.Items(output.shape.Count(), /*heavy=*/false);
  launch.Body(kWindow);
  launch.Body(IndexedMaxText(type, element, index));
  builder.AddLaunch(node, launch.Finish(absl::StrCat(
                              with_indices ? "max_pool_indices_" : "max_pool_",
                              ElementTypeName(type))));
  return true;
}

bool HasIndices(const Node& node) {
  return node.output_count() > 1 && !node.port(1).uses.empty();
}

absl::StatusOr<bool> EmitPool(const Problem& problem, PlanBuilder& builder) {
  const ElementType type = problem.node->input(0).type();
  const size_t spatial = problem.axes.size();
  if (spatial < 1 || spatial > 3) return false;
  const bool is_float = type == ElementType::kF32;
  const bool with_indices = HasIndices(*problem.node);
  if (is_float && !with_indices) return EmitFloats(problem, builder);
  const bool is_integer = IsInteger(type) && HasClType(type);
  if (!problem.is_max || !(is_float || is_integer)) return false;
  return EmitIndexed(problem, with_indices, builder);
}

}  // namespace

absl::StatusOr<bool> EmitMaxPool(const Node& node, PlanBuilder& builder) {
  const auto* version1 = node.As<MaxPoolAttributes>();
  const auto* version8 = node.As<MaxPool8Attributes>();
  if (version1 == nullptr && version8 == nullptr) return false;
  const SlidingWindow& window =
      version8 != nullptr ? version8->window : version1->window;
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  Problem problem = {&node, true, false, 1, {}};
  for (const WindowAxis& axis : ResolvePool(
           window, version8 != nullptr ? version8->kernel : version1->kernel,
           data, PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)))) {
    problem.axes.push_back(CoveredBy(axis, window.rounding));
  }
  if (version8 != nullptr) {
    DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                              NormalizeAxis(version8->axis, data.rank()));
    problem.index_period = data.Count(axis, data.rank());
  }
  return EmitPool(problem, builder);
}

absl::StatusOr<bool> EmitAvgPool(const Node& node, PlanBuilder& builder) {
  const AvgPoolAttributes& attributes = AvgPoolAttributesOf(node);
  Problem problem = {&node, false, false, 1, {}};
  bool padded = false;
  for (const WindowAxis& axis :
       ResolvePool(attributes.window, attributes.kernel,
                   PlanBuilder::ShapeOf(node.input(0)),
                   PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)))) {
    problem.axes.push_back(CoveredBy(axis, attributes.window.rounding));
    padded |= axis.pad_begin != 0 || axis.pad_end != 0;
  }
  // What lies beyond the end counts like padding, but only if there is any.
  problem.counts_padding = padded && !attributes.exclude_pad;
  return EmitPool(problem, builder);
}

absl::StatusOr<bool> EmitAdaptivePool(const Node& node, PlanBuilder& builder) {
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape output = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  Problem problem = {
      &node, node.Is("AdaptiveMaxPool"), false, data.Count(2, data.rank()), {}};
  for (int i = 2; i < data.rank(); ++i) {
    problem.axes.push_back(CoveredAdaptively(data[i], output[i]));
  }
  return EmitPool(problem, builder);
}

}  // namespace dovetail::gpu
