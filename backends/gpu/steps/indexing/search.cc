#include "dovetail/backends/gpu/steps/indexing/search.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/bucketize.h"

namespace dovetail::gpu {
namespace {

// The place of value i: halves what is left of the list.
constexpr char kSearch[] = R"(
const $wide value = values[i];
int begin = i / per_list * length, left = length;
while (left > 0) {
  const int half_left = left / 2, middle = begin + half_left;
  const $wide there = lists[middle];
  const int is_behind = $behind;
  begin = is_behind ? middle + 1 : begin;
  left = is_behind ? left - half_left - 1 : half_left;
}
target[i] = begin - i / per_list * length;
)";

// Which inputs are the lists and the values; element i is searched in list
// number i / per_list, and stands after equal elements, or before.
struct SearchProblem {
  int lists, values;
  int64_t length, per_list;
  bool after;
};

absl::StatusOr<bool> EmitSearch(const Node& node, PlanBuilder& builder,
                                const SearchProblem& problem) {
  const Value lists = node.input(problem.lists);
  const Value values = node.input(problem.values);
  const bool floats =
      lists.type() == ElementType::kF32 && values.type() == ElementType::kF32;
  const bool integers = IsIndexType(lists.type()) && IsIndexType(values.type());
  if (!floats && !integers) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand list, builder.ReadPlain(lists));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand searched, builder.ReadPlain(values));
  Launch launch;
  AddInput(launch, "lists", ClType(lists.type()), list);
  AddInput(launch, "values", ClType(values.type()), searched);
  AddOutput(launch, "target", ClType(node.port().type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddInt(launch, "length", problem.length);
  AddInt(launch, "per_list", problem.per_list);
  AddItems(launch, builder, PlanBuilder::ShapeOf(values).Count());
  launch.writer.Body(absl::StrReplaceAll(
      kSearch,
      {{"$wide", floats ? "float" : "long"},
       {"$behind", problem.after ? "!(value < there)" : "there < value"}}));
  launch.kernel = KernelName("search", values.type());
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace

absl::StatusOr<bool> EmitBucketize(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<BucketizeAttributes>();
  if (attributes == nullptr) return false;
  return EmitSearch(node, builder,
                    {1, 0, PlanBuilder::ShapeOf(node.input(1)).Count(),
                     PlanBuilder::ShapeOf(node.input(0)).Count(),
                     !attributes->with_right_bound});
}

absl::StatusOr<bool> EmitSearchSorted(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<SearchSortedAttributes>();
  if (attributes == nullptr) return false;
  const Shape lists = PlanBuilder::ShapeOf(node.input(0));
  const Shape values = PlanBuilder::ShapeOf(node.input(1));
  // A single list serves all values.
  const int64_t per_list = lists.rank() == 1 ? values.Count() : values.back();
  return EmitSearch(node, builder,
                    {0, 1, lists.back(), per_list, attributes->right_mode});
}

}  // namespace dovetail::gpu
