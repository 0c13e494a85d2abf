#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/reference/common/reduce_plan.h"

namespace dovetail::gpu {
namespace {

std::string Access(ElementType stored, int lanes) {
  const std::string name = absl::StrCat("_", lanes, StorageSuffix(stored));
  return absl::StrCat("#define LOAD", name, "(p) ",
                      LoadFloats(stored, "p", lanes), "\n#define STORE", name,
                      "(v, p) ", StoreFloats(stored, "v", "p", lanes), "\n");
}

}  // namespace

// ---- A launch ----

void LaneLaunch::Input(absl::string_view name, absl::string_view type,
                       const Operand& operand) {
  AddInput(launch_, name, type, operand);
}

void LaneLaunch::Output(absl::string_view name, absl::string_view type,
                        const Operand& operand) {
  AddOutput(launch_, name, type, operand);
}

void LaneLaunch::Input(absl::string_view name, const Operand& operand) {
  Input(name, ClType(operand.format.type), operand);
  if (operand.format.type == ElementType::kF16) halves_.emplace(name);
}

void LaneLaunch::Output(absl::string_view name, const Operand& operand) {
  Output(name, ClType(operand.format.type), operand);
  if (operand.format.type == ElementType::kF16) halves_.emplace(name);
  output_ = operand.format.type;
}

void LaneLaunch::Int(absl::string_view name, int64_t value) {
  AddInt(launch_, name, value);
}

void LaneLaunch::Float(absl::string_view name, double value) {
  AddScalar(launch_, name, static_cast<float>(value));
}

void LaneLaunch::Items(int64_t count, bool heavy) {
  AddItems(launch_, builder_, count, "item", heavy);
}

void LaneLaunch::Body(absl::string_view text) {
  const std::string n = absl::StrCat(lanes_);
  const absl::string_view half = StorageSuffix(ElementType::kF16);
  std::vector<std::pair<std::string, std::string>> halves;
  for (const std::string& name : halves_) {
    const std::string start = absl::StrCat("(", name, " ");
    halves.emplace_back("$LOAD" + start, absl::StrCat("LOAD_", n, half, start));
    halves.emplace_back("$LOAD1" + start, absl::StrCat("LOAD_1", half, start));
  }
  const absl::string_view stored = StorageSuffix(output_);
  launch_.writer.Body(
      absl::StrReplaceAll(absl::StrReplaceAll(text, halves),
                          {{"$V", FloatVector(lanes_)},
                           {"$LOAD(", absl::StrCat("LOAD_", n, "(")},
                           {"$LOAD1(", "LOAD_1("},
                           {"$STORE(", absl::StrCat("STORE_", n, stored, "(")},
                           {"$STORE1(", absl::StrCat("STORE_1", stored, "(")},
                           {"$SUM", absl::StrCat("sum_", n)},
                           {"$MAX", absl::StrCat("max_", n)},
                           {"$L", n}}));
}

Launch LaneLaunch::Finish(absl::string_view kernel) {
  launch_.kernel = std::string(kernel);
  for (const ElementType stored : {ElementType::kF32, ElementType::kF16}) {
    if (stored == ElementType::kF16 && halves_.empty()) continue;
    AddFloatFunctions(stored, lanes_, launch_.writer);
    launch_.writer.Helper(Access(stored, 1));
    if (lanes_ > 1) launch_.writer.Helper(Access(stored, lanes_));
  }
  launch_.writer.Helper(FoldFunction("sum", lanes_, "$a + $b"));
  launch_.writer.Helper(FoldFunction("max", lanes_, "$a > $b ? $a : $b"));
  return std::move(launch_);
}

// ---- Geometry ----

int LaneGeometry::Lanes(int most) const {
  return is_rows() || inner >= most ? most : 1;
}

int64_t LaneGeometry::Blocks(int lanes) const {
  return is_rows() ? 1 : CeilDivide(inner, int64_t{lanes});
}

std::optional<LaneGeometry> LaneGeometryOf(const Shape& shape,
                                           const std::vector<bool>& flags) {
  ReducePlan plan = PlanReduction(shape, flags);
  LaneGeometry lanes;
  if (plan.inner_is_kept) {
    lanes.inner = plan.kept.back().extent;
    plan.kept.pop_back();
  }
  if (plan.kept.size() > 2 || plan.reduced.size() > 2) return std::nullopt;
  if (!plan.kept.empty()) {
    lanes.middle = plan.kept.back().extent;
    lanes.middle_stride = plan.kept.back().stride;
  }
  if (plan.kept.size() == 2) {
    lanes.outer = plan.kept[0].extent;
    lanes.outer_stride = plan.kept[0].stride;
  }
  if (!plan.reduced.empty()) {
    lanes.length = plan.reduced.back().extent;
    lanes.step = plan.reduced.back().stride;
  }
  if (plan.reduced.size() == 2) {
    lanes.runs = plan.reduced[0].extent;
    lanes.run_stride = plan.reduced[0].stride;
  }
  return lanes;
}

Shape StoredDims(const Shape& shape, Layout layout) {
  const int64_t block = ChannelBlock(layout);
  if (block == 1) return shape;
  std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  dims[1] = CeilDivide(dims[1], block);
  dims.push_back(block);
  return Shape(dims);
}

void AddLanes(LaneLaunch& launch, const LaneGeometry& geometry) {
  const int64_t blocks = geometry.Blocks(launch.lanes());
  launch.Int("blocks", blocks);
  launch.Int("middle", geometry.middle);
  launch.Int("outer_stride", geometry.outer_stride);
  launch.Int("middle_stride", geometry.middle_stride);
  launch.Int("length", geometry.length);
  launch.Int("step", geometry.step);
  launch.Int("inner", geometry.inner);
  launch.Items(geometry.rows() * blocks, /*heavy=*/geometry.is_rows());
  launch.Body("const int q = item / blocks;\n");
  // The last vector is moved back inside; what it has twice is equal.
  launch.Body(geometry.is_rows()
                  ? "const int first = 0;\n"
                  : "const int first = min(item % blocks * $L, inner - $L);\n");
  launch.Body(
      "const int base = q / middle * outer_stride + q % middle * middle_stride "
      "+ first;\n");
}

// ---- Loops ----

std::string FoldFunction(absl::string_view name, int lanes,
                         absl::string_view both) {
  std::string text = absl::StrCat("float ", name, "_", lanes, "(",
                                  FloatVector(lanes), " v0) {\n");
  int level = 0;
  for (int n = lanes / 2; n >= 1; n /= 2, ++level) {
    absl::StrAppend(
        &text, "  const ", FloatVector(n), " v", level + 1, " = ",
        absl::StrReplaceAll(both, {{"$a", absl::StrCat("v", level, ".lo")},
                                   {"$b", absl::StrCat("v", level, ".hi")}}),
        ";\n");
  }
  return absl::StrCat(text, "  return v", level, ";\n}\n");
}

std::string ForPart(const LaneGeometry& geometry, absl::string_view source,
                    absl::string_view begin, absl::string_view end,
                    absl::string_view vectors, absl::string_view scalars) {
  if (!geometry.is_rows()) {
    return absl::StrCat("for (int k = ", begin, "; k < ", end,
                        "; ++k) {\n  const int at = base + k * step;\n"
                        "  const $V x = $LOAD(",
                        source, " + at);\n  ", vectors, "\n}\n");
  }
  return absl::StrCat(
      "{\nint k = ", begin, ";\nfor (; k + $L <= ", end,
      "; k += $L) {\n  const int at = base + k;\n  const $V x = $LOAD(", source,
      " + at);\n  ", vectors, "\n}\nfor (; k < ", end,
      "; ++k) {\n  const int at = base + k;\n  const float x = $LOAD1(", source,
      " + at);\n  ", scalars, "\n}\n}\n");
}

std::string ForLane(const LaneGeometry& geometry, absl::string_view source,
                    absl::string_view statements) {
  return ForPart(geometry, source, "0", "length", statements,
                 absl::StrReplaceAll(statements, {{"$V", "float"},
                                                  {"$STORE(", "$STORE1("},
                                                  {"$LOAD(", "$LOAD1("}}));
}

std::string SumOfLane(const LaneGeometry& geometry, absl::string_view source,
                      absl::string_view name, absl::string_view term) {
  const bool rows = geometry.is_rows();
  return absl::StrCat(
      rows ? "float " : "$V ", name,
      " = 0;\nfor (int start = 0; start < length; start += ",
      rows ? "4096" : "256", ") {\nconst int end = min(start + ",
      rows ? "4096" : "256", ", length);\n$V part = 0;\nfloat rest = 0;\n",
      ForPart(geometry, source, "start", "end",
              absl::StrCat("part += ", term, ";"),
              absl::StrCat("rest += ", term, ";")),
      name, " += ", rows ? "$SUM(part) + rest" : "part", ";\n}\n");
}

std::string GreatestOfLane(const LaneGeometry& geometry,
                           absl::string_view source, absl::string_view name) {
  const std::string all = absl::StrCat(
      "$V many = -INFINITY;\nfloat one = -INFINITY;\n",
      ForPart(geometry, source, "0", "length", "many = x > many ? x : many;",
              "one = x > one ? x : one;"));
  if (!geometry.is_rows()) {
    return absl::StrCat(all, "const $V ", name, " = many;\n");
  }
  return absl::StrCat(all, "one = max(one, $MAX(many));\nconst float ", name,
                      " = one;\n");
}

}  // namespace dovetail::gpu
