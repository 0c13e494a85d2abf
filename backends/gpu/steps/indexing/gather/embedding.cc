#include "dovetail/backends/gpu/steps/indexing/gather/embedding.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/indexing/indices.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/embedding/embedding.h"

namespace dovetail::gpu {
namespace {

// Which rows bag r has.
struct Bags {
  // Statements that say in `begin` and `end` where its indices are.
  std::string range;
  // Whether index j is one of them; empty: all of the range.
  std::string condition;
  // Statements that report what is wrong with `list`.
  std::string check;
  // The inputs, -1 where there is none: what `range` and `condition` read,
  // which the kernel knows as `list`; the row for empty bags; weights.
  int list = -1, default_index = -1, weights = -1;
};

bool Has(const Node& node, int input) {
  return input >= 0 && input < node.input_count() && node.input(input);
}

absl::Status AddOperands(const Node& node, PlanBuilder& builder,
                         const Bags& bags, Launch& launch) {
  const std::pair<const char*, int> inputs[] = {
      {"table", 0},
      {"indices", 1},
      {"list", bags.list},
      {"default_index", bags.default_index},
      {"weights", bags.weights},
  };
  for (const auto& [name, input] : inputs) {
    if (!Has(node, input)) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(node.input(input)));
    AddInput(launch, name, ClType(node.input(input).type()), operand);
  }
  AddOutput(launch, "target", ClType(node.port().type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  launch.writer.Faults();
  return absl::OkStatus();
}

constexpr char kCheckDefault[] =
    "const long default_row = default_index[0];\n"
    "if (default_row < -1 || default_row >= rows)\n"
    "  report_fault(faults, default_row, rows);\n";
constexpr char kCheckOffsets[] =
    "const long before = r > 0 ? list[r - 1] : 0;\n"
    "if ((long)list[r] < before || (long)list[r] > count)\n"
    "  report_fault(faults, list[r], count);\n";
constexpr char kCheckSegments[] =
    "for (int j = 0; i == 0 && j < count; ++j)\n"
    "  if ((long)list[j] < 0 || (long)list[j] >= bags)\n"
    "    report_fault(faults, list[j], bags);\n";

// Sums of narrow integers wrap in the end, as those of wide ones do.
std::string SumText(const Node& node, const Bags& bags) {
  const ElementType type = node.port().type;
  const absl::string_view wide = IsFloat(type)    ? "float"
                                 : IsSigned(type) ? "long"
                                                  : "ulong";
  const bool is_mean = BagReductionOf(node) == BagReduction::kMean;
  return absl::Substitute(
      R"(
$0$7
for (int k = first; k < first + n; ++k) {
  $1 sum = 0;
  int found = 0;
  for (int j = begin; j < end; ++j) {
    if (!($2)) continue;
    ++found;
    const long row = indices[j];
    if (row < 0 || row >= rows) {
      report_fault(faults, row, rows);
      continue;
    }
    sum += ($1)table[row * run + k]$3;
  }
  $4$5target[r * run + k] = ($6)sum;
}
)",
      bags.range, wide, bags.condition.empty() ? "1" : bags.condition,
      Has(node, bags.weights) ? " * weights[j]" : "",
      is_mean ? absl::StrCat("if (found > 0) sum /= (", wide, ")found;\n") : "",
      Has(node, bags.default_index)
          ? "if (found == 0 && default_index[0] >= 0 && "
            "default_index[0] < rows)\n"
            "  sum = table[default_index[0] * run + k];\n"
          : "",
      ClType(type),
      absl::StrCat(bags.check, Has(node, bags.default_index)
                                   ? kCheckDefault
                                   : absl::string_view()));
}

bool IsTaken(const Node& node, const Bags& bags) {
  const ElementType type = node.port().type;
  if (type != ElementType::kF32 && !(IsInteger(type) && HasClType(type))) {
    return false;
  }
  const int64_t rows = PlanBuilder::ShapeOf(node.input(0))[0];
  for (const int input : {1, bags.list, bags.default_index}) {
    if (Has(node, input) && !IsIndexType(node.input(input).type()))
      return false;
  }
  return !HasWrongIndices(node, 1, rows, false);
}

absl::StatusOr<bool> EmitBags(const Node& node, PlanBuilder& builder,
                              const Bags& bags) {
  if (!IsTaken(node, bags)) return false;
  const Shape shape = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  const Shape indices = PlanBuilder::ShapeOf(node.input(1));
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(node, builder, bags, launch));
  AddInt(launch, "rows", PlanBuilder::ShapeOf(node.input(0))[0]);
  AddInt(launch, "count", indices.Count());
  AddInt(launch, "last_axis", indices.back());
  AddInt(launch, "bags", shape[0]);
  AddRuns(launch, builder, shape[0], shape.Count(1, shape.rank()));
  launch.writer.Body(SumText(node, bags));
  launch.kernel = KernelName("embedding_bags", node.port().type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace

absl::StatusOr<bool> EmitEmbeddingBagOffsets(const Node& node,
                                             PlanBuilder& builder) {
  Bags bags;
  bags.range =
      "const int begin = clamp((int)list[r], 0, count);\n"
      "const int end = r + 1 < bags ? clamp((int)list[r + 1], 0, count) : "
      "count;\n";
  bags.check = kCheckOffsets;
  bags.list = 2;
  bags.default_index = 3;
  bags.weights = 4;
  // Known offsets that do not ascend are an error, which the host tells.
  const auto offsets = ConstantList(node, 2);
  if (offsets && !std::is_sorted(offsets->begin(), offsets->end())) {
    return false;
  }
  return EmitBags(node, builder, bags);
}

absl::StatusOr<bool> EmitEmbeddingBagPacked(const Node& node,
                                            PlanBuilder& builder) {
  Bags bags;
  bags.range = "const int begin = r * last_axis, end = begin + last_axis;\n";
  bags.weights = 2;
  return EmitBags(node, builder, bags);
}

absl::StatusOr<bool> EmitEmbeddingSegments(const Node& node,
                                           PlanBuilder& builder) {
  Bags bags;
  bags.range = "const int begin = 0, end = count;\n";
  bags.condition = "list[j] == r";
  bags.check = kCheckSegments;
  bags.list = 2;
  bags.default_index = 4;
  bags.weights = 5;
  const int64_t segments = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node))[0];
  if (HasWrongIndices(node, 2, segments, false)) return false;
  return EmitBags(node, builder, bags);
}

}  // namespace dovetail::gpu
