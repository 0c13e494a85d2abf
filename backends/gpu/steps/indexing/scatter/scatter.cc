#include "dovetail/backends/gpu/steps/indexing/scatter/scatter.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/indexing/indices.h"
#include "dovetail/backends/gpu/steps/indexing/scatter/scatter_combine.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// More comparisons of places with indices take longer than the host's loop over
// the updates: some 10 ms at one a cycle.
constexpr int64_t kMaxCompared = int64_t{1} << 24;

bool IsTooMany(int64_t places, int64_t indices) {
  return indices > 16 && places > kMaxCompared / indices;
}

bool IsTaken(const Node& node) {
  const ElementType type = node.port().type;
  return IsCopied(type) && IsIndexType(node.input(1).type()) &&
         CanCombine(CombineOf(node), type);
}

// The type of elements in memory.
absl::string_view StoredType(const ScatterCombine& combine, ElementType type) {
  return combine.how == ScatterCombine::How::kNone ? ClMoved(type)
                                                   : ClType(type);
}

// A launch with `source`, `indices`, `updates` and `target`.
absl::StatusOr<Launch> NewLaunch(const Node& node, PlanBuilder& builder) {
  const ElementType element = node.port().type;
  const absl::string_view type = StoredType(CombineOf(node), element);
  const char* const names[] = {"source", "indices", "updates"};
  Launch launch;
  for (int i = 0; i < 3; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(node.input(i)));
    AddInput(launch, names[i], i == 1 ? ClType(node.input(1).type()) : type,
             operand);
  }
  AddOutput(launch, "target", type,
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  launch.writer.Faults();
  return launch;
}

// Runs of elements, replaced or combined by those updates whose `index`, the
// expression for number j, is the run's number `place`.
void AddRunsBody(Launch& launch, const PlanBuilder& builder,
                 const ScatterCombine& combine, ElementType type,
                 absl::string_view index) {
  const absl::string_view stored = StoredType(combine, type);
  const std::string copy = CopyRun(launch, builder, stored);
  const std::string found = absl::StrCat(index, " == place");
  if (combine.how == ScatterCombine::How::kNone) {
    launch.writer.Body(absl::Substitute(
        "int j = count - 1;\nwhile (j >= 0 && !($0)) --j;\n"
        "$1((j < 0 ? source + r * run : updates + (batch + j) * run) + first,\n"
        "target + r * run + first, n);\n",
        found, copy));
    return;
  }
  launch.writer.Body(absl::Substitute(
      "$0(source + r * run + first, target + r * run + first, n);\n"
      "for (int j = 0; j < count; ++j) {\nif (!($1)) continue;\n"
      "for (int k = first; k < first + n; ++k) {\n"
      "const $2 there = target[r * run + k];\n"
      "const $2 update = updates[(batch + j) * run + k];\n"
      "target[r * run + k] = ($3)($4);\n}\n}\n",
      copy, found, CombinedType(combine, type), stored,
      CombinedText(combine, type)));
}

// The place of an element: its number `c` on the axis, and in `at` where the
// first of its indices is; `inside` is 0 where there are none.
std::string ElementPlace(int rank, int axis) {
  std::string text = "int rest = r, at = 0, stride = 1, inside = 1, c = 0;\n";
  for (int i = rank - 1; i >= 0; --i) {
    const char* const pattern =
        i == axis ? "c = rest % extent$0;\nconst int step = stride;\n"
                  : "inside &= rest % extent$0 < given$0;\n"
                    "at += rest % extent$0 * stride;\n";
    absl::StrAppend(&text, absl::Substitute(absl::StrCat(pattern,
                                                         "stride *= given$0;\n"
                                                         "rest /= extent$0;\n"),
                                            i));
  }
  return text;
}

// One element, combined with the updates whose index is its own.
void AddElementBody(Launch& launch, const ScatterCombine& combine,
                    ElementType type) {
  const bool is_mean = combine.how == ScatterCombine::How::kMean;
  launch.writer.Body(absl::Substitute(
      R"(
$0 there = source[r];
int count = $1;
for (int j = 0; inside && j < given; ++j) {
  const int place = at + j * step;
  long index = indices[place];
  if (index < -(long)extent || index >= extent) {
    report_fault(faults, index, extent);
  }
  if (index < 0) index += extent;
  if (index != c) continue;
  const $0 update = updates[place];
  there = count == 0 ? update : ($0)($2);
  ++count;
}
$3target[r] = ($4)there;
)",
      CombinedType(combine, type), combine.use_data ? 1 : 0,
      CombinedText(combine, type),
      is_mean ? absl::StrCat("if (count > 1) there = ", MeanText(type), ";\n")
              : "",
      StoredType(combine, type)));
}

}  // namespace

absl::StatusOr<bool> EmitScatterUpdate(const Node& node, PlanBuilder& builder) {
  const auto axes = ConstantList(node, 3);
  if (!axes || axes->size() != 1 || !IsTaken(node)) return false;
  const ElementType type = node.port().type;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const int64_t count = PlanBuilder::ShapeOf(node.input(1)).Count();
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], shape.rank()));
  const int64_t runs = shape.Count(0, axis + 1);
  if (HasWrongIndices(node, 1, shape[axis], false) || IsTooMany(runs, count)) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch, NewLaunch(node, builder));
  AddInt(launch, "count", count);
  AddInt(launch, "extent", shape[axis]);
  AddRuns(launch, builder, runs, shape.Count(axis + 1, shape.rank()));
  launch.writer.Body(
      "const int place = r % extent, batch = r / extent * count;\n"
      "for (int j = 0; i == 0 && j < count; ++j) {\n"
      "  const long index = indices[j];\n"
      "  if (index < 0 || index >= extent) "
      "report_fault(faults, index, extent);\n}\n");
  AddRunsBody(launch, builder, {}, type, "indices[j]");
  launch.kernel = KernelName("scatter", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitScatterNdUpdate(const Node& node,
                                         PlanBuilder& builder) {
  if (!IsTaken(node)) return false;
  const ElementType type = node.port().type;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape indices = PlanBuilder::ShapeOf(node.input(1));
  const int size = static_cast<int>(indices.back());
  const int64_t count = indices.Count(0, indices.rank() - 1);
  const int64_t runs = shape.Count(0, size);
  if (HasWrongTuples(node, 1, shape, 0) || IsTooMany(runs, count)) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch, NewLaunch(node, builder));
  const std::string index =
      TuplePlace(launch, ClType(node.input(1).type()), shape, 0, size,
                 absl::StrCat("indices + j * ", size));
  AddInt(launch, "count", count);
  AddRuns(launch, builder, runs, shape.Count(size, shape.rank()));
  launch.writer.Body("const int place = r, batch = 0;\n");
  AddRunsBody(launch, builder, CombineOf(node), type, index);
  launch.kernel = KernelName("scatter_nd", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitScatterElementsUpdate(const Node& node,
                                               PlanBuilder& builder) {
  const auto axes = ConstantList(node, 3);
  if (!axes || axes->size() != 1 || !IsTaken(node)) return false;
  const ElementType type = node.port().type;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape given = PlanBuilder::ShapeOf(node.input(1));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], shape.rank()));
  for (int i = 0; i < shape.rank(); ++i) {
    if (i != axis && given[i] > shape[i]) return false;
  }
  if (HasWrongIndices(node, 1, shape[axis], true) ||
      IsTooMany(shape.Count(), given[axis])) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch, NewLaunch(node, builder));
  for (int i = 0; i < shape.rank(); ++i) {
    AddInt(launch, absl::StrCat("extent", i), shape[i]);
    AddInt(launch, absl::StrCat("given", i), given[i]);
  }
  AddInt(launch, "extent", shape[axis]);
  AddInt(launch, "given", given[axis]);
  AddRuns(launch, builder, shape.Count(), 1);
  launch.writer.Body(ElementPlace(shape.rank(), axis));
  AddElementBody(launch, CombineOf(node), type);
  launch.kernel = KernelName("scatter_elements", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
