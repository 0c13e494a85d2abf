#include "dovetail/backends/gpu/steps/convolution/common/padded.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"

namespace dovetail::gpu {
namespace {

// A work item has a row of the copy; sizes along it are in elements. $0: their
// type.
constexpr char kBody[] = R"(
  const int row = get_global_id(0);
  const int y = row % to_rows - first_row;
  const int z = row / to_rows % to_depth - first_depth;
  const int plane = row / to_rows / to_depth;
  __global $0* to = target + row * to_length;
  if (y < 0 || y >= rows || z < 0 || z >= depth) {
    for (int i = 0; i < to_length; ++i) to[i] = 0;
    return;
  }
  for (int i = 0; i < first; ++i) to[i] = 0;
  to += first;
  const __global $0* from = source + ((plane * depth + z) * rows + y) * length;
  int i = 0;
  for (; i + 16 <= length; i += 16) vstore16(vload16(0, from + i), 0, to + i);
  for (; i < length; ++i) to[i] = from[i];
  for (; i < to_length - first; ++i) to[i] = 0;
)";

}  // namespace

PixelPlanes Padded(PixelPlanes planes,
                   const std::array<AxisPadding, 3>& padding) {
  for (int i = 0; i < 3; ++i) {
    planes.extents[i] += padding[i].before + padding[i].after;
  }
  return planes;
}

Operand AddPadding(const Node& node, const Operand& data,
                   const PixelPlanes& planes,
                   const std::array<AxisPadding, 3>& padding,
                   PlanBuilder& builder) {
  const PixelPlanes padded = Padded(planes, padding);
  const ElementType type = data.format.type;
  Operand copy = builder.Scratch(padded.floats() * BitWidth(type) / 8);
  copy.format.type = type;
  Launch launch;
  launch.kernel = KernelName("pad", type);
  const absl::string_view element = ClMoved(type);
  AddInput(launch, "source", element, data);
  AddOutput(launch, "target", element, copy);
  AddInt(launch, "depth", planes.extents[0]);
  AddInt(launch, "rows", planes.extents[1]);
  AddInt(launch, "length", planes.extents[2] * planes.pixel);
  AddInt(launch, "to_depth", padded.extents[0]);
  AddInt(launch, "to_rows", padded.extents[1]);
  AddInt(launch, "to_length", padded.extents[2] * planes.pixel);
  AddInt(launch, "first_depth", padding[0].before);
  AddInt(launch, "first_row", padding[1].before);
  AddInt(launch, "first", padding[2].before * planes.pixel);
  launch.writer.Group(1);
  launch.writer.Body(absl::Substitute(kBody, element));
  launch.range =
      LinearRange(padded.planes * padded.extents[0] * padded.extents[1], 1);
  builder.AddLaunch(node, std::move(launch));
  return copy;
}

}  // namespace dovetail::gpu
