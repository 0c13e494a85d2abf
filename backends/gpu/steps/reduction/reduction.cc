#include "dovetail/backends/gpu/steps/reduction/reduction.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/op_type.h"
#include "dovetail/core/ops/reduction/reduce.h"

namespace dovetail::gpu {
namespace {

// A reduction in text: of an element x to a total, of two totals, and of the
// last one to the result.
struct Fold {
  std::string type;   // of totals
  std::string start;  // a total of nothing
  std::string take;   // of total and x
  std::string join;   // of total and other
  std::string finish = "total";
};

struct FoldRow {
  OpType type;
  const char* start;
  const char* take;
  const char* join;
  const char* finish;
};

// Comparisons are as those of the reference, which passes over what is no
// number.
constexpr FoldRow kFolds[] = {
    {"ReduceSum", "0", "total + x", "total + other", "total"},
    {"ReduceMean", "0", "total + x", "total + other", "total / count"},
    {"ReduceMax", "", "x > total ? x : total", "other > total ? other : total",
     "total"},
    {"ReduceMin", "", "x < total ? x : total", "other < total ? other : total",
     "total"},
    {"ReduceProd", "1", "total * x", "total * other", "total"},
    {"ReduceL1", "0", "total + (x < 0 ? -x : x)", "total + other", "total"},
    {"ReduceL2", "0", "total + x * x", "total + other", "sqrt(total)"},
    {"ReduceLogicalAnd", "1", "total & (x != 0)", "total & other", "total"},
    {"ReduceLogicalOr", "0", "total | (x != 0)", "total | other", "total"},
};

// The least (or greatest) total, by which the first element is replaced.
std::string Limit(ElementType type, bool least) {
  if (type == ElementType::kF32) return least ? "-INFINITY" : "INFINITY";
  if (!IsSigned(type)) return least ? "0" : "ULONG_MAX";
  return least ? "LONG_MIN" : "LONG_MAX";
}

// Integers are wide, and their arithmetic wraps, which only that of unsigned
// ones may: sums of both are the same bits.
std::optional<Fold> FoldOf(const Node& node, ElementType type) {
  const bool is_float = type == ElementType::kF32;
  for (const FoldRow& row : kFolds) {
    if (!node.Is(row.type)) continue;
    const bool is_comparison = *row.start == 0;
    const bool is_logical = type == ElementType::kBoolean;
    if (!is_float && !is_logical && node.Is("ReduceL2")) return std::nullopt;
    Fold fold = {"float", row.start, row.take, row.join, row.finish};
    if (is_comparison) fold.start = Limit(type, node.Is("ReduceMax"));
    if (is_float) return fold;
    fold.type = is_logical ? "int" : IsSigned(type) ? "long" : "ulong";
    const bool is_mean = node.Is("ReduceMean");
    if (is_mean || node.Is("ReduceSum") || node.Is("ReduceProd")) {
      if (is_mean && IsSigned(type)) fold.finish = "(long)total / count";
      fold.type = "ulong";
    }
    return fold;
  }
  return std::nullopt;
}

bool CanReduce(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kBoolean ||
         (IsInteger(type) && HasClType(type));
}

// `text` about the total of that name.
std::string About(absl::string_view name, const std::string& text) {
  return absl::StrReplaceAll(text, {{"total", name}});
}

// ---- One launch ----

struct Problem {
  const Node* node;
  Fold fold;
  int64_t count = 1;  // of elements that make one of the result
  bool is_float = false;
  std::string element;  // OpenCL C's type
};

std::string FloatLoop(const Problem& problem, const LaneGeometry& lanes) {
  const Fold& fold = problem.fold;
  const bool rows = lanes.is_rows();
  const std::string block = rows ? "4096" : "256";
  // In blocks, so that errors of sums do not grow with the lane.
  return absl::StrCat(
      "for (int start = 0; start < length; start += ", block,
      ") {\nconst int end = min(start + ", block,
      ", length);\n$V part = ", fold.start, ";\nfloat rest = ", fold.start,
      ";\n",
      ForPart(lanes, "in + r * run_stride", "start", "end",
              absl::StrCat("part = ", About("part", fold.take), ";"),
              absl::StrCat("rest = ", About("rest", fold.take), ";")),
      rows
          ? absl::StrCat("{ const float other = fold_", problem.node->op().type,
                         "_$L(part);\n  rest = ", About("rest", fold.join),
                         "; }\n{ const float other = rest;\n")
          : std::string("{ const $V other = part;\n"),
      "  total = ", fold.join, "; }\n}\n");
}

std::string IntegerLoop(const Fold& fold) {
  return absl::StrCat("for (int k = 0; k < length; ++k) {\n  const ", fold.type,
                      " x = (", fold.type,
                      ")in[r * run_stride + base + k * step];\n  total = ",
                      fold.take, ";\n}\n");
}

void AddFold(const Problem& problem, const LaneGeometry& lanes, bool is_last,
             const Operand& input, const Operand& output,
             PlanBuilder& builder) {
  const Fold& fold = problem.fold;
  LaneLaunch launch(builder,
                    problem.is_float ? lanes.Lanes(builder.lanes().lanes) : 1);
  launch.Input("in", input);
  launch.Output("y", output);
  launch.Int("runs", lanes.runs);
  launch.Int("run_stride", lanes.run_stride);
  launch.Int("count", problem.count);
  AddLanes(launch, lanes);
  launch.Body(absl::StrCat(
      problem.is_float && !lanes.is_rows() ? "$V" : fold.type,
      " total = ", fold.start, ";\nfor (int r = 0; r < runs; ++r) {\n",
      problem.is_float ? FloatLoop(problem, lanes) : IntegerLoop(fold), "}\n"));
  const std::string result = is_last ? fold.finish : std::string("total");
  if (!problem.is_float) {
    launch.Body(
        absl::StrCat("y[item] = (", problem.element, ")(", result, ");\n"));
  } else if (lanes.is_rows()) {
    launch.Body(absl::StrCat("$STORE1(", result, ", y + item);\n"));
  } else {
    launch.Body(absl::StrCat("$STORE(", result, ", y + q * inner + first);\n"));
  }
  if (problem.is_float) {
    launch.Helper(FoldFunction(
        absl::StrCat("fold_", problem.node->op().type), launch.lanes(),
        absl::StrReplaceAll(fold.join, {{"total", "$a"}, {"other", "$b"}})));
  }
  builder.AddLaunch(*problem.node,
                    launch.Finish(absl::StrCat(
                        lanes.is_rows() ? "reduce_rows_" : "reduce_columns_",
                        problem.element)));
}

// ---- Few long rows ----

// Into how many parts of equal length each row is cut, so that there are items
// for all of the device; 1: it stays.
int64_t PartsOf(const LaneGeometry& lanes) {
  constexpr int64_t kMostParts = 64, kLeastPart = 2048, kEnoughRows = 16;
  if (!lanes.is_rows() || lanes.runs > 1 || lanes.rows() >= kEnoughRows ||
      lanes.outer > 1) {
    return 1;
  }
  for (int64_t parts = std::min(kMostParts, lanes.length / kLeastPart);
       parts > 1; --parts) {
    if (lanes.length % parts == 0) return parts;
  }
  return 1;
}

// Of what joins totals of parts: they are taken as they are.
Problem Joined(Problem problem) {
  problem.fold.take = absl::StrReplaceAll(problem.fold.join, {{"other", "x"}});
  return problem;
}

void AddInParts(const Problem& problem, const LaneGeometry& lanes,
                int64_t parts, const Operand& input, const Operand& output,
                PlanBuilder& builder) {
  LaneGeometry first = lanes, second;
  first.outer = lanes.middle;
  first.outer_stride = lanes.middle_stride;
  first.middle = parts;
  first.middle_stride = first.length = lanes.length / parts;
  second.middle = lanes.middle;
  second.middle_stride = second.length = parts;
  Operand totals = builder.Scratch(first.rows() * int64_t{sizeof(float)});
  totals.format.type = ElementType::kF32;
  totals.shape = {first.rows()};
  AddFold(problem, first, /*is_last=*/false, input, totals, builder);
  AddFold(Joined(problem), second, /*is_last=*/true, totals, output, builder);
}

// ---- Layouts ----

// The layout of the result of data in that layout; nothing where the data has
// to be planar.
std::optional<Layout> ResultLayout(const Shape& shape,
                                   const std::vector<bool>& reduced,
                                   bool keep_dims, Layout layout) {
  if (layout != Layout::kBlocked16 || reduced[0] || reduced[1]) {
    return std::nullopt;
  }
  if (keep_dims) return layout;
  const bool all = std::all_of(reduced.begin() + 2, reduced.end(),
                               [](bool flag) { return flag; });
  if (!all || shape[1] % ChannelBlock(layout) != 0) return std::nullopt;
  return Layout::kPlanar;  // [N, C]
}

std::vector<bool> StoredFlags(std::vector<bool> flags, Layout layout) {
  if (layout != Layout::kPlanar) flags.push_back(false);
  return flags;
}

}  // namespace

absl::StatusOr<bool> EmitReduction(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<ReduceAttributes>();
  const Value data = node.input(0);
  const Shape shape = PlanBuilder::ShapeOf(data);
  const Tensor* axes = PlanBuilder::ConstantOf(node.input(1));
  if (attributes == nullptr || axes == nullptr || shape.rank() == 0 ||
      !CanReduce(data.type())) {
    return false;
  }
  const auto fold = FoldOf(node, data.type());
  if (!fold) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<bool> reduced,
                            ReducedAxes(ToInt64Vector(*axes), shape.rank()));
  const bool is_float = data.type() == ElementType::kF32;
  Format format = builder.FormatOf(data);
  const Value value = PlanBuilder::OutputOf(node);
  Format result = builder.StorageFormat(value);
  const auto layout = ResultLayout(shape, reduced, attributes->keep_dims,
                                   is_float ? format.layout : Layout::kPlanar);
  if (!layout) format.layout = Layout::kPlanar;
  result.layout = layout.value_or(Layout::kPlanar);
  const auto lanes = LaneGeometryOf(StoredDims(shape, format.layout),
                                    StoredFlags(reduced, format.layout));
  if (!lanes) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(data, format));
  const Operand output = builder.Write(value, result);
  const Problem problem = {&node, *fold, lanes->runs * lanes->length, is_float,
                           std::string(ClType(data.type()))};
  const int64_t parts = is_float ? PartsOf(*lanes) : 1;
  if (parts > 1) {
    AddInParts(problem, *lanes, parts, input, output, builder);
  } else {
    AddFold(problem, *lanes, /*is_last=*/true, input, output, builder);
  }
  return true;
}

}  // namespace dovetail::gpu
