#include "dovetail/backends/gpu/steps/indexing/top_k.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/top_k.h"

namespace dovetail::gpu {
namespace {

// Whether element a of a line stands before element b, NaN as the greatest of
// all; the number breaks ties.
constexpr char kFirst[] = R"(
int $first(__global const $type* line, int step, int a, int b) {
  const $type x = line[a * step], y = line[b * step];
  if ($y_less) return $max;
  if ($x_less) return !$max;
  return a < b;
}
)";

// $sink makes numbers a heap, the last in order on top, which are one but for
// the place `at`; $sort puts a heap into order.
constexpr char kHeap[] = R"(
void $sink(__global const $type* line, int step, __global int* heap, int at,
           int size) {
  const int moved = heap[at];
  for (;;) {
    int child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && $before(heap[child], heap[child + 1])) ++child;
    if (!$before(moved, heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}
void $sort(__global const $type* line, int step, __global int* heap,
           int size) {
  for (int end = size - 1; end > 0; --end) {
    const int last = heap[0];
    heap[0] = heap[end];
    heap[end] = last;
    $sink(line, step, heap, 0, end);
  }
}
)";

constexpr char kBody[] = R"(
__global const $type* line = source + i / inner * extent * inner + i % inner;
__global int* heap = (__global int*)heaps + i * k;
for (int j = 0; j < k; ++j) heap[j] = j;
for (int j = k / 2 - 1; j >= 0; --j) $sink(line, inner, heap, j, k);
for (int j = k; j < extent; ++j) {
  if (!$first(line, inner, j, heap[0])) continue;
  heap[0] = j;
  $sink(line, inner, heap, 0, k);
}
)";

// The same numbers as a heap of numbers.
constexpr char kByIndex[] = R"(
for (int j = k / 2 - 1; j >= 0; --j) $sink(line, inner, heap, j, k);
)";

constexpr char kStore[] = R"(
$sort(line, inner, heap, k);
const int to = i / inner * k * inner + i % inner;
for (int j = 0; j < k; ++j) {
  values[to + j * inner] = line[heap[j] * inner];
  indices[to + j * inner] = heap[j];
}
)";

// Functions are one program's: their names say for what they are.
std::string WithNames(absl::string_view text, ElementType type, bool max,
                      bool by_index) {
  const bool is_float = IsFloat(type);
  const std::string prefix =
      absl::StrCat(max ? "max_" : "min_", ClType(type), "_");
  const std::string order = absl::StrCat(prefix, by_index ? "index_" : "");
  const std::string before =
      by_index ? "index_before(" : absl::StrCat(prefix, "first(line, step, ");
  return absl::StrReplaceAll(
      text, {{"$before(", before},
             {"$first", absl::StrCat(prefix, "first")},
             {"$sink", absl::StrCat(order, "sink")},
             {"$sort", absl::StrCat(order, "sort")},
             {"$type", ClType(type)},
             {"$max", max ? "1" : "0"},
             {"$y_less", is_float ? "isnan(x) ? !isnan(y) : y < x" : "y < x"},
             {"$x_less", is_float ? "isnan(y) ? !isnan(x) : x < y" : "x < y"}});
}

void AddText(Launch& launch, ElementType type, bool max, bool by_index) {
  const auto text = [&](absl::string_view pattern, bool of_index) {
    return WithNames(pattern, type, max, of_index);
  };
  KernelWriter& writer = launch.writer;
  writer.Helper(text(kFirst, false));
  writer.Helper(text(kHeap, false));
  writer.Body(text(kBody, false));
  if (by_index) {
    writer.Helper("int index_before(int a, int b) { return a < b; }\n");
    writer.Helper(text(kHeap, true));
    writer.Body(text(kByIndex, true));
  }
  writer.Body(text(kStore, by_index));
}

// The launch with its operands, and scratch memory of so many ints.
absl::StatusOr<Launch> NewLaunch(const Node& node, PlanBuilder& builder,
                                 int64_t heaps) {
  const ElementType type = node.port().type;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "source", ClType(type), data);
  AddOutput(launch, "values", ClType(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddOutput(launch, "indices", ClType(node.port(1).type),
            builder.WritePlain(PlanBuilder::OutputOf(node, 1)));
  launch.writer.Scratch("heaps", "uchar");
  launch.scratch = builder.Scratch(heaps * 4);
  return launch;
}

}  // namespace

absl::StatusOr<bool> EmitTopK(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<TopKAttributes>();
  const ElementType type = node.port().type;
  if (attributes == nullptr ||
      (type != ElementType::kF32 && !(IsInteger(type) && HasClType(type)))) {
    return false;
  }
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, shape.rank()));
  const int64_t k = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node))[axis];
  const int64_t inner = shape.Count(axis + 1, shape.rank());
  const int64_t lines = shape.Count(0, axis) * inner;
  const bool max = attributes->mode == TopKMode::kMax;
  const bool by_index = attributes->sort == TopKSort::kIndex;
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch, NewLaunch(node, builder, lines * k));
  AddInt(launch, "k", k);
  AddInt(launch, "inner", inner);
  AddInt(launch, "extent", shape[axis]);
  AddItems(launch, builder, lines);
  AddText(launch, type, max, by_index);
  launch.kernel = KernelName(max ? "top_k_max" : "top_k_min", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
