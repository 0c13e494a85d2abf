#include "dovetail/backends/gpu/steps/indexing/gather/gather_tree.h"

#include <utility>

#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// A beam of a batch; numbers are compared as $wide.
constexpr char kFollow[] = R"(
const int stride = batches * beams, begin = i / beams * beams;
const $wide most = lengths[i / beams];
const int length = most > 0 ? (most < times ? (int)most : times) : 0;
for (int t = 0; t < times; ++t) target[t * stride + i] = end_token[0];
int beam = i - begin;
for (int t = length - 1; t >= 0; --t) {
  const int at = t * stride + begin + beam;
  target[t * stride + i] = steps[at];
  const $wide parent = parents[at];
  if (!(parent >= 0 && parent < beams)) {
    report_fault(faults, (long)parent, beams);
    break;
  }
  beam = (int)parent;
}
int ended = 0;
for (int t = 0; t < times; ++t) {
  if (ended) target[t * stride + i] = end_token[0];
  ended |= target[t * stride + i] == end_token[0];
}
)";

}  // namespace

absl::StatusOr<bool> EmitGatherTree(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type;
  if (type != ElementType::kF32 && !IsIndexType(type)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  Launch launch;
  const char* const names[] = {"steps", "parents", "lengths", "end_token"};
  for (int i = 0; i < 4; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(node.input(i)));
    AddInput(launch, names[i], ClType(type), operand);
  }
  AddOutput(launch, "target", ClType(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  launch.writer.Faults();
  AddInt(launch, "times", shape[0]);
  AddInt(launch, "batches", shape[1]);
  AddInt(launch, "beams", shape[2]);
  AddItems(launch, builder, shape[1] * shape[2]);
  launch.writer.Body(absl::StrReplaceAll(
      kFollow, {{"$wide", IsFloat(type) ? "float" : "long"}}));
  launch.kernel = KernelName("gather_tree", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
