#include "dovetail/backends/gpu/steps/detection/non_max_suppression.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/compiler/bounded_suppression.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/detection/selection_text.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/detection/non_max_suppression.h"

namespace dovetail::gpu {
namespace {

// A list has the scores of one class of one image, and a slot for each box
// that may be kept.
struct Problem {
  int64_t classes, lists, boxes, slots;
};

// What the first launch hands to the second.
struct Kept {
  Operand boxes, scores, counts;
};

// Row of slot i: how many are before it. Those of a list are in order.
constexpr char kFindRow[] = R"(
if (i == 0) {
  int all = 0;
  for (int j = 0; j < lists; ++j) all += counts[j];
  total[0] = all;
}
const int list = i / slots;
int row = i % slots;
if (row >= counts[list]) return;
const float score = kept_scores[i];
)";

// Scores first, lists then.
constexpr char kSorted[] = R"(
for (int j = 0; j < lists; ++j) {
  if (j == list) continue;
  int begin = 0, end = counts[j];
  while (begin < end) {
    const int middle = (begin + end) / 2;
    const float other = kept_scores[j * slots + middle];
    if (other > score || (other == score && j < list)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  row += begin;
}
)";
constexpr char kInOrder[] = R"(
for (int j = 0; j < list; ++j) row += counts[j];
)";

constexpr char kStore[] = R"(
const int to = row * 3;
rows[to] = list / classes;
rows[to + 1] = list % classes;
rows[to + 2] = kept[i];
row_scores[to] = list / classes;
row_scores[to + 1] = list % classes;
row_scores[to + 2] = score;
)";

// The number in an input of one element, 0 for one that is not there.
absl::Status AddLimit(Launch& launch, const Node& node, int input,
                      absl::string_view name, PlanBuilder& builder) {
  if (input >= node.input_count()) {
    launch.writer.Body(absl::StrCat("const float ", name, " = 0;\n"));
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            builder.ReadPlain(node.input(input)));
  AddInput(launch, absl::StrCat(name, "_in"), "float", operand);
  launch.writer.Body(
      absl::StrCat("const float ", name, " = ", name, "_in[0];\n"));
  return absl::OkStatus();
}

// There is such an input: without it no box is asked for.
absl::Status AddMost(Launch& launch, const Node& node, PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                            builder.ReadPlain(node.input(2)));
  AddInput(launch, "most_in", ClType(node.input(2).type()), operand);
  launch.writer.Body(
      "const int most = clamp((long)most_in[0], 0L, (long)slots);\n");
  return absl::OkStatus();
}

absl::Status AddOperands(Launch& launch, const Node& node,
                         PlanBuilder& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand boxes,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand scores,
                            builder.ReadPlain(node.input(1)));
  AddInput(launch, "boxes", "float", boxes);
  AddInput(launch, "scores", "float", scores);
  DOVETAIL_RETURN_IF_ERROR(AddMost(launch, node, builder));
  DOVETAIL_RETURN_IF_ERROR(
      AddLimit(launch, node, 3, "overlap_limit", builder));
  DOVETAIL_RETURN_IF_ERROR(AddLimit(launch, node, 4, "score_limit", builder));
  return AddLimit(launch, node, 5, "sigma", builder);
}

// A sigma that is 0 or less for sure makes no score fall.
bool IsSoft(const Node& node) {
  if (node.input_count() <= 5) return false;
  const Tensor* sigma = PlanBuilder::ConstantOf(node.input(5));
  return sigma == nullptr || sigma->ElementAsDouble(0) > 0;
}

absl::StatusOr<Kept> Select(const Node& node, const Problem& problem,
                            PlanBuilder& builder) {
  const auto& attributes = *node.As<NonMaxSuppressionAttributes>();
  const SelectionText text = {attributes.box_encoding, IsSoft(node),
                              attributes.sort_result_descending,
                              builder.lanes().lanes};
  const int64_t places = problem.lists * problem.slots;
  const auto scratch = [&](ElementType type, int64_t count) {
    Operand operand = builder.Scratch(count * 4);
    operand.format.type = type;
    return operand;
  };
  const Kept kept = {scratch(ElementType::kI32, places),
                     scratch(ElementType::kF32, places),
                     scratch(ElementType::kI32, problem.lists)};
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(launch, node, builder));
  AddOutput(launch, "kept", "int", kept.boxes);
  AddOutput(launch, "kept_scores", "float", kept.scores);
  AddOutput(launch, "counts", "int", kept.counts);
  const int64_t words = SelectionWords(problem.boxes, problem.slots,
                                       text.is_soft, text.lanes);
  launch.writer.Scratch("work", "uchar");
  launch.scratch = builder.Scratch(problem.lists * words * 4);
  AddInt(launch, "count", problem.boxes);
  AddInt(launch, "classes", problem.classes);
  AddInt(launch, "slots", problem.slots);
  AddInt(launch, "words", words);
  AddItems(launch, builder, problem.lists, "i", /*is_heavy=*/true);
  AddSelection(text, launch.writer);
  launch.kernel = text.is_soft ? "select_boxes_soft" : "select_boxes";
  builder.AddLaunch(node, std::move(launch));
  return kept;
}

void Sort(const Node& node, const Problem& problem, const Kept& kept,
          PlanBuilder& builder) {
  const bool sorts =
      node.As<NonMaxSuppressionAttributes>()->sort_result_descending;
  const absl::string_view index = ClType(node.port().type);
  Launch launch;
  AddInput(launch, "kept", "int", kept.boxes);
  AddInput(launch, "kept_scores", "float", kept.scores);
  AddInput(launch, "counts", "int", kept.counts);
  const auto add_output = [&](absl::string_view name, absl::string_view type,
                              int i) {
    AddOutput(launch, name, type,
              builder.WritePlain(PlanBuilder::OutputOf(node, i)));
  };
  add_output("rows", index, 0);
  add_output("row_scores", "float", 1);
  add_output("total", index, 2);
  AddInt(launch, "lists", problem.lists);
  AddInt(launch, "classes", problem.classes);
  AddInt(launch, "slots", problem.slots);
  AddItems(launch, builder, problem.lists * problem.slots);
  launch.writer.Body(kFindRow);
  launch.writer.Body(sorts ? kSorted : kInOrder);
  launch.writer.Body(kStore);
  launch.kernel = sorts ? "sort_boxes" : "gather_boxes";
  builder.AddLaunch(node, std::move(launch));
}

}  // namespace

absl::StatusOr<bool> EmitNonMaxSuppression(const Node& node,
                                           PlanBuilder& builder) {
  if (!IsBoundedSuppression(node)) return false;
  const Shape scores = PlanBuilder::ShapeOf(node.input(1));
  const int64_t lists = scores[0] * scores[1];
  const int64_t rows = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node))[0];
  const Problem problem = {scores[1], lists, scores[2], rows / lists};
  DOVETAIL_ASSIGN_OR_RETURN(const Kept kept, Select(node, problem, builder));
  Sort(node, problem, kept, builder);
  return true;
}

}  // namespace dovetail::gpu
