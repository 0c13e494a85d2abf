#include "dovetail/backends/gpu/steps/custom/format_copy.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/custom/macros.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"

namespace dovetail::gpu {
namespace {

// $0 and $1: where the element is in the source and in the target.
constexpr char kBody[] = R"(
  const int x = i % size_x, y = i / size_x % size_y;
  const int f = i / size_x / size_y % size_f, b = i / size_x / size_y / size_f;
  const int at = b * pitch_b + f * pitch_f + y * pitch_y + x * pitch_x;
  target[$1] = source[$0];
)";

}  // namespace

bool NeedsFormatCopy(CustomFormat format, const Shape& shape) {
  return format != CustomFormat::kBfyx && format != CustomFormat::kAny &&
         FormatPitches(shape, format) !=
             FormatPitches(shape, CustomFormat::kBfyx);
}

void AddFormatCopy(const Node& node, const FormatCopy& copy,
                   PlanBuilder& builder) {
  const std::string type(ClType(copy.type));
  const std::array<int64_t, 4> dims = FourDims(copy.shape);
  const std::array<int64_t, 4> pitches = FormatPitches(copy.shape, copy.format);
  Launch launch;
  launch.kernel = "custom_format_copy";
  AddInput(launch, "source", type, copy.from);
  AddOutput(launch, "target", type, copy.to);
  AddItems(launch, builder, copy.shape.Count());
  AddInt(launch, "size_f", dims[1]);
  AddInt(launch, "size_y", dims[2]);
  AddInt(launch, "size_x", dims[3]);
  AddInt(launch, "pitch_b", pitches[0]);
  AddInt(launch, "pitch_f", pitches[1]);
  AddInt(launch, "pitch_y", pitches[2]);
  AddInt(launch, "pitch_x", pitches[3]);
  launch.writer.Body(absl::Substitute(kBody, copy.is_back ? "at" : "i",
                                      copy.is_back ? "i" : "at"));
  builder.AddLaunch(node, std::move(launch));
}

}  // namespace dovetail::gpu
