#include "dovetail/backends/gpu/steps/image/yolo.h"

#include <utility>

#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/image/yolo/region_yolo.h"
#include "dovetail/core/ops/image/yolo/reorg_yolo.h"

namespace dovetail::gpu {
namespace {

// The input as images of `fewer` channels, each side `stride` times as long.
constexpr char kReorg[] = R"(
const int x = i % width, y = i / width % height;
const int c = i / plane % channels, n = i / plane / channels;
const int place = c / fewer, row = y * stride + place / stride;
out[i] = data[(n * fewer + c % fewer) * plane * stride * stride +
              row * width * stride + x * stride + place % stride];
)";

constexpr char kLogistic[] =
    "float yolo_logistic(float x) { return 1.0f / (1.0f + exp(-x)); }\n";

// An item has a box of a cell; its entries are planes.
constexpr char kRegion[] = R"(
const int entries = coords + 1 + classes;
const int begin = i / area * entries * area + i % area;
const __global float* in = data + begin;
__global float* to = out + begin;
for (int k = 0; k < coords; ++k)
  to[k * area] = k < 2 ? yolo_logistic(in[k * area]) : in[k * area];
in += coords * area;
to += coords * area;
to[0] = yolo_logistic(in[0]);
if (!softmax) {
  for (int k = 1; k <= classes; ++k)
    to[k * area] = yolo_logistic(in[k * area]);
  return;
}
float greatest = in[area * min(classes, 1)], sum = 0;
for (int k = 2; k <= classes; ++k) {
  const float x = in[k * area];
  greatest = greatest < x ? x : greatest;
}
for (int k = 1; k <= classes; ++k) {
  const float x = exp(in[k * area] - greatest);
  to[k * area] = x;
  sum += x;
}
for (int k = 1; k <= classes; ++k) to[k * area] /= sum;
)";

}  // namespace

absl::StatusOr<bool> EmitReorgYolo(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const int64_t stride = node.As<ReorgYoloAttributes>()->stride;
  if (!HasClType(type) || shape[1] % (stride * stride) != 0) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "data", ClMoved(type), data);
  AddOutput(launch, "out", ClMoved(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddInt(launch, "channels", shape[1]);
  AddInt(launch, "fewer", shape[1] / (stride * stride));
  AddInt(launch, "height", shape[2]);
  AddInt(launch, "width", shape[3]);
  AddInt(launch, "plane", shape[2] * shape[3]);
  AddInt(launch, "stride", stride);
  AddItems(launch, builder, shape.Count(0, 4));
  launch.writer.Body(kReorg);
  launch.kernel = KernelName("reorg_yolo", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitRegionYolo(const Node& node, PlanBuilder& builder) {
  if (node.port().type != ElementType::kF32) return false;
  const auto& attributes = *node.As<RegionYoloAttributes>();
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const int64_t area = shape[2] * shape[3];
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "data", "float", data);
  AddOutput(launch, "out", "float",
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddInt(launch, "area", area);
  AddInt(launch, "coords", attributes.coords);
  AddInt(launch, "classes", attributes.classes);
  AddInt(launch, "softmax", attributes.do_softmax ? 1 : 0);
  AddItems(launch, builder, shape[0] * attributes.regions() * area);
  launch.writer.Helper(kLogistic);
  launch.writer.Body(kRegion);
  launch.kernel = "region_yolo_f32";
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
