#include "dovetail/backends/gpu/steps/movement/reverse_sequence.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/layout/reverse_sequence.h"

namespace dovetail::gpu {
namespace {

// Run number r, of what lies behind both axes.
constexpr char kSource[] = R"(
const int s = r / sequence_step % extent;
const long length = lengths[r / batch_step % batches];
const int from = length <= extent && s < length
    ? r + ((int)length - 1 - 2 * s) * sequence_step : r;
)";

// Known lengths that do not fit are errors, which the host tells.
bool HasWrongLengths(const Node& node, int64_t extent) {
  if (!PlanBuilder::IsConstant(node.input(1))) return false;
  const auto lengths = ConstantList(node, 1);
  return std::any_of(lengths->begin(), lengths->end(), [&](int64_t length) {
    return length < 0 || length > extent;
  });
}

absl::StatusOr<Launch> NewLaunch(const Node& node, PlanBuilder& builder) {
  const Format format = {builder.FormatOf(node.input(0)).type, Layout::kPlanar};
  const absl::string_view type = ClMoved(format.type);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(node.input(0), format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand lengths,
                            builder.ReadPlain(node.input(1)));
  Launch launch;
  AddInput(launch, "source", type, data);
  AddInput(launch, "lengths", ClType(node.input(1).type()), lengths);
  AddOutput(launch, "target", type,
            builder.Write(PlanBuilder::OutputOf(node), format));
  launch.kernel = KernelName("reverse_sequence", format.type);
  return launch;
}

}  // namespace

absl::StatusOr<bool> EmitReverseSequence(const Node& node,
                                         PlanBuilder& builder) {
  const auto* attributes = node.As<ReverseSequenceAttributes>();
  const ElementType list = node.input(1).type();
  if (attributes == nullptr || !IsCopied(node.port().type) ||
      !IsIndexType(list)) {
    return false;
  }
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const int rank = shape.rank();
  DOVETAIL_ASSIGN_OR_RETURN(const int batch,
                            NormalizeAxis(attributes->batch_axis, rank));
  DOVETAIL_ASSIGN_OR_RETURN(const int sequence,
                            NormalizeAxis(attributes->seq_axis, rank));
  if (HasWrongLengths(node, shape[sequence])) return false;
  const int end = std::max(batch, sequence) + 1;
  DOVETAIL_ASSIGN_OR_RETURN(Launch launch, NewLaunch(node, builder));
  AddInt(launch, "sequence_step", shape.Count(sequence + 1, end));
  AddInt(launch, "extent", shape[sequence]);
  AddInt(launch, "batch_step", shape.Count(batch + 1, end));
  AddInt(launch, "batches", shape[batch]);
  AddRuns(launch, builder, shape.Count(0, end), shape.Count(end, rank));
  launch.writer.Body(absl::StrCat(
      kSource, CopyRun(launch, builder, ClMoved(launch.outputs[0].format.type)),
      "(source + from * run + first, target + r * run + first, n);\n"));
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
