#include "dovetail/backends/gpu/custom/format_copy.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/custom/macros.h"

namespace dovetail::gpu {
namespace {

// $0 and $1: where the element is in the source and in the target.
constexpr char kBody[] = R"(
  const int i = get_global_id(0);
  if (i >= count) return;
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
  launch.writer.Input("source", type);
  launch.writer.Output("target", type);
  launch.inputs = {copy.from};
  launch.outputs = {copy.to};
  const auto add = [&](const char* name, int64_t value) {
    launch.writer.Int(name);
    launch.scalars.emplace_back(static_cast<int32_t>(value));
  };
  add("count", copy.shape.Count());
  add("size_f", dims[1]);
  add("size_y", dims[2]);
  add("size_x", dims[3]);
  add("pitch_b", pitches[0]);
  add("pitch_f", pitches[1]);
  add("pitch_y", pitches[2]);
  add("pitch_x", pitches[3]);
  launch.writer.Body(absl::Substitute(kBody, copy.is_back ? "at" : "i",
                                      copy.is_back ? "i" : "at"));
  launch.range = LinearRange(copy.shape.Count(), 64);
  builder.AddLaunch(node, std::move(launch));
}

}  // namespace dovetail::gpu
