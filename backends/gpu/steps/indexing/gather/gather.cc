#include "dovetail/backends/gpu/steps/indexing/gather/gather.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/indexing/indices.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/indexing/gather/gather_elements.h"
#include "dovetail/core/ops/indexing/gather/gather_nd.h"

namespace dovetail::gpu {
namespace {

// A launch with `source`, `indices` and `target`, in the planar format of the
// data.
absl::StatusOr<Launch> NewLaunch(const Node& node, PlanBuilder& builder,
                                 absl::string_view name) {
  const Format format = {builder.FormatOf(node.input(0)).type, Layout::kPlanar};
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand indices,
                            builder.ReadPlain(node.input(1)));
  const absl::string_view type = ClMoved(format.type);
  Launch launch;
  AddInput(launch, "source", type, data);
  AddInput(launch, "indices", ClType(node.input(1).type()), indices);
  AddOutput(launch, "target", type,
            builder.Write(PlanBuilder::OutputOf(node), format));
  launch.kernel = KernelName(name, format.type);
  return launch;
}

bool IsTaken(const Node& node) {
  return IsCopied(node.port().type) && IsIndexType(node.input(1).type());
}

// Adds the launch, whose body has said in the int `place` which run of the
// source is run r of the target; below 0: zeros.
void AddGather(const Node& node, PlanBuilder& builder, Launch launch) {
  const absl::string_view type = ClMoved(launch.outputs[0].format.type);
  launch.writer.Body(absl::StrCat(
      "if (place < 0) {\n", FillRun(launch, builder, type),
      "(0, target + r * run + first, n);\n} else {\n",
      CopyRun(launch, builder, type),
      "(source + place * run + first, target + r * run + first, n);\n}\n"));
  builder.AddLaunch(node, std::move(launch));
}

}  // namespace

absl::StatusOr<bool> EmitGather(const Node& node, PlanBuilder& builder) {
  const auto axes = ConstantList(node, 2);
  if (!axes || axes->size() != 1 || !IsTaken(node)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape indices = PlanBuilder::ShapeOf(node.input(1));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], shape.rank()));
  const int shared = static_cast<int>(BatchDims(node, indices.rank()));
  if (shared < 0 || shared > axis || shared > indices.rank()) return false;
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch, NewLaunch(node, builder, "gather"));
  const int64_t count = indices.Count(shared, indices.rank());
  AddInt(launch, "count", count);
  AddInt(launch, "outer", shape.Count(shared, axis));
  AddInt(launch, "extent", shape[axis]);
  AddRuns(launch, builder, shape.Count(0, axis) * count,
          shape.Count(axis + 1, shape.rank()));
  launch.writer.Body(absl::StrCat(
      "const int row = r / count;\n"
      "long index = indices[row / outer * count + r % count];\n",
      node.op().version >= 8 ? "if (index < 0) index += extent;\n" : "",
      "const int place = index < 0 || index >= extent\n"
      "    ? -1 : row * extent + (int)index;\n"));
  AddGather(node, builder, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitGatherElements(const Node& node,
                                        PlanBuilder& builder) {
  const auto* attributes = node.As<GatherElementsAttributes>();
  if (attributes == nullptr || !IsTaken(node)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape indices = PlanBuilder::ShapeOf(node.input(1));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis(attributes->axis, shape.rank()));
  if (HasWrongIndices(node, 1, shape[axis], true)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch,
                            NewLaunch(node, builder, "gather_elements"));
  launch.writer.Faults();
  AddInt(launch, "count", indices[axis]);
  AddInt(launch, "inner", indices.Count(axis + 1, indices.rank()));
  AddInt(launch, "extent", shape[axis]);
  AddRuns(launch, builder, indices.Count(), 1);
  launch.writer.Body(R"(
long index = indices[r];
if (index < -(long)extent || index >= extent) {
  report_fault(faults, index, extent);
}
if (index < 0) index += extent;
const int place = index < 0 || index >= extent
    ? -1 : (r / inner / count * extent + (int)index) * inner + r % inner;
)");
  AddGather(node, builder, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitGatherNd(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<GatherNDAttributes>();
  if (attributes == nullptr || !IsTaken(node)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape indices = PlanBuilder::ShapeOf(node.input(1));
  const int shared = static_cast<int>(attributes->batch_dims);
  const int size = static_cast<int>(indices.back());
  if (HasWrongTuples(node, 1, shape, shared)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch,
                            NewLaunch(node, builder, "gather_nd"));
  launch.writer.Faults();
  const int tuple_end = shared + size;
  AddInt(launch, "count", indices.Count(shared, indices.rank() - 1));
  AddInt(launch, "boxes", shape.Count(shared, tuple_end));
  const std::string place =
      TuplePlace(launch, ClType(node.input(1).type()), shape, shared, size,
                 absl::StrCat("indices + r * ", size));
  AddRuns(launch, builder, indices.Count(0, indices.rank() - 1),
          shape.Count(tuple_end, shape.rank()));
  launch.writer.Body(absl::StrCat(
      "const int in_batch = ", place, ";\n",
      "const int place = in_batch < 0 ? -1 : r / count * boxes + in_batch;\n"));
  AddGather(node, builder, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
