#include "dovetail/backends/gpu/steps/common/launch_arguments.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

// What a work item copies at most where it has vectors of its own, in elements:
// a group of 64 then has 64 KB of floats, which is worth a thread's waking.
constexpr int64_t kLongRun = 256;

int64_t ElementsAnItem(const PlanBuilder& builder, int64_t run) {
  const int lanes = builder.lanes().lanes;
  return std::min<int64_t>(run, lanes == 16 ? kLongRun : lanes);
}

std::string WithNames(absl::string_view text, absl::string_view type,
                      int lanes) {
  return absl::StrReplaceAll(text,
                             {{"$type", type}, {"$n", absl::StrCat(lanes)}});
}

}  // namespace

absl::string_view ClMoved(ElementType type) {
  return ClBytes(BitWidth(type) / 8);
}

void AddInput(Launch& launch, absl::string_view name, absl::string_view type,
              const Operand& operand) {
  launch.writer.Input(name, type);
  launch.inputs.push_back(operand);
}

void AddOutput(Launch& launch, absl::string_view name, absl::string_view type,
               const Operand& operand) {
  launch.writer.Output(name, type);
  launch.outputs.push_back(operand);
}

void AddInt(Launch& launch, absl::string_view name, int64_t value) {
  launch.writer.Int(name);
  launch.scalars.push_back(static_cast<int32_t>(value));
}

void AddScalar(Launch& launch, absl::string_view name,
               const ScalarArgument& value) {
  if (std::holds_alternative<float>(value)) {
    launch.writer.Float(name);
  } else {
    launch.writer.Int(name);
  }
  launch.scalars.push_back(value);
}

void AddItems(Launch& launch, const PlanBuilder& builder, int64_t items,
              absl::string_view name, bool is_heavy) {
  const bool is_alone = is_heavy && !builder.lanes().has_local_memory;
  const int group = is_alone ? 1 : builder.lanes().group;
  AddInt(launch, "items", items);
  launch.range = LinearRange(items, group);
  launch.writer.Group(group);
  launch.writer.Body(
      absl::Substitute("const int $0 = get_global_id(0);\n"
                       "if ($0 >= items) return;\n",
                       name));
}

void AddRuns(Launch& launch, const PlanBuilder& builder, int64_t runs,
             int64_t run) {
  const int64_t chunk = ElementsAnItem(builder, run);
  const int64_t chunks = CeilDivide(run, chunk);
  AddInt(launch, "run", run);
  AddInt(launch, "chunk", chunk);
  AddInt(launch, "chunks", chunks);
  AddItems(launch, builder, runs * chunks);
  launch.writer.Body(
      "const int r = i / chunks, first = i % chunks * chunk;\n"
      "const int n = min(chunk, run - first);\n");
}

std::string CopyRun(Launch& launch, const PlanBuilder& builder,
                    absl::string_view type) {
  const int lanes = builder.lanes().lanes;
  const std::string name = absl::StrCat("copy_run_", type);
  std::string text = absl::StrCat("void ", name, R"((
    __global const $type* from, __global $type* to, int n) {
  int k = 0;
)");
  if (lanes > 1) {
    absl::StrAppend(&text, "  for (; k + $n <= n; k += $n)\n",
                    "    vstore$n(vload$n(0, from + k), 0, to + k);\n");
  }
  absl::StrAppend(&text, "  for (; k < n; ++k) to[k] = from[k];\n}\n");
  launch.writer.Helper(WithNames(text, type, lanes));
  return name;
}

std::string FillRun(Launch& launch, const PlanBuilder& builder,
                    absl::string_view type) {
  const int lanes = builder.lanes().lanes;
  const std::string name = absl::StrCat("fill_run_", type);
  std::string text = absl::StrCat("void ", name, R"((
    $type value, __global $type* to, int n) {
  int k = 0;
)");
  if (lanes > 1) {
    absl::StrAppend(&text, "  for (; k + $n <= n; k += $n)\n",
                    "    vstore$n(($type$n)(value), 0, to + k);\n");
  }
  absl::StrAppend(&text, "  for (; k < n; ++k) to[k] = value;\n}\n");
  launch.writer.Helper(WithNames(text, type, lanes));
  return name;
}

bool IsIndexType(ElementType type) {
  return IsInteger(type) && HasClType(type) && type != ElementType::kU64;
}

std::string KernelName(absl::string_view name, ElementType type) {
  return absl::StrCat(name, "_", ElementTypeName(type));
}

}  // namespace dovetail::gpu
