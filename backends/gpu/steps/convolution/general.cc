#include "dovetail/backends/gpu/steps/convolution/general.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/sum_type.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/convolution/common/problem.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// $0: type of elements, $1: of sums; $2, $3, $4: statements that find iz, iy
// and ix, or go on.
constexpr char kBody[] = R"(
  const int i = get_global_id(0);
  if (i >= count) return;
  const int area = y_width * y_height * y_depth;
  const int px = i % y_width;
  const int py = i / y_width % y_height;
  const int pz = i / y_width / y_height % y_depth;
  const int channel = i / area % (groups * outputs);
  const int image = i / area / (groups * outputs);
  const int group = channel / outputs;
  const __global $0* xi = x + (image * groups + group) * inputs * x_depth * x_height * x_width;
  const __global $0* wi = w + group * w_group + channel % outputs * w_output;
  $1 sum = 0;
  for (int input = 0; input < inputs; ++input) {
    for (int z = 0; z < taps_z; ++z) {
      $2
      for (int y_ = 0; y_ < taps_y; ++y_) {
        $3
        for (int x_ = 0; x_ < taps_x; ++x_) {
          $4
          const int at = ((input * x_depth + iz) * x_height + iy) * x_width + ix;
          const int tap = (z * taps_y + y_) * taps_x + x_;
          sum += ($1)xi[at] * ($1)wi[input * w_input + tap];
        }
      }
    }
  }
  y[i] = ($0)sum;
)";

// $0: the axis, $1: its loop's variable.
std::string Find(absl::string_view axis, absl::string_view tap,
                 absl::string_view extent, bool transposed) {
  if (transposed) {
    return absl::Substitute(
        "const int t$0 = p$0 + pad_$0 - $1 * dilation_$0;\n"
        "      if (t$0 < 0 || t$0 % stride_$0 != 0) continue;\n"
        "      const int i$0 = t$0 / stride_$0;\n"
        "      if (i$0 >= $2) continue;",
        axis, tap, extent);
  }
  return absl::Substitute(
      "const int i$0 = p$0 * stride_$0 - pad_$0 + $1 * dilation_$0;\n"
      "      if (i$0 < 0 || i$0 >= $2) continue;",
      axis, tap, extent);
}

void AddSizes(const ConvolutionProblem& problem, int64_t count,
              Launch& launch) {
  const auto add = [&](const std::string& name, int64_t value) {
    launch.writer.Int(name);
    launch.scalars.emplace_back(static_cast<int32_t>(value));
  };
  add("count", count);
  add("groups", problem.groups);
  add("inputs", problem.inputs);
  add("outputs", problem.outputs);
  add("w_group", problem.group_stride);
  add("w_output", problem.output_stride);
  add("w_input", problem.input_stride);
  constexpr absl::string_view kAxes[] = {"z", "y", "x"};
  constexpr absl::string_view kExtents[] = {"depth", "height", "width"};
  for (int i = 0; i < 3; ++i) {
    const WindowAxis& axis = problem.axes[i];
    const bool transposed = problem.transposed;
    add(absl::StrCat("x_", kExtents[i]), transposed ? axis.output : axis.input);
    add(absl::StrCat("y_", kExtents[i]), transposed ? axis.input : axis.output);
    add(absl::StrCat("taps_", kAxes[i]), axis.kernel);
    add(absl::StrCat("stride_", kAxes[i]), axis.stride);
    add(absl::StrCat("dilation_", kAxes[i]), axis.dilation);
    add(absl::StrCat("pad_", kAxes[i]), axis.pad_begin);
  }
}

}  // namespace

absl::StatusOr<bool> EmitGeneralConvolution(const Node& node,
                                            PlanBuilder& builder) {
  const auto problem = ConvolutionProblemOf(node);
  const ElementType type = node.port().type;
  const absl::string_view sum = SumType(type);
  if (!problem.has_value() || sum.empty()) return false;
  const Format format = {type, Layout::kPlanar};
  Launch launch;
  launch.kernel = absl::StrCat("convolution_general_", ElementTypeName(type));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.Read(problem->data, format));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand weights,
                            builder.Read(problem->weights, format));
  launch.inputs = {data, weights};
  launch.outputs = {builder.Write(PlanBuilder::OutputOf(node), format)};
  launch.writer.Input("x", ClType(type));
  launch.writer.Input("w", ClType(type));
  launch.writer.Output("y", ClType(type));
  const int64_t count = problem->result.Count();
  AddSizes(*problem, count, launch);
  launch.writer.Group(builder.lanes().group);
  const bool transposed = problem->transposed;
  launch.writer.Body(absl::Substitute(kBody, ClType(type), sum,
                                      Find("z", "z", "x_depth", transposed),
                                      Find("y", "y_", "x_height", transposed),
                                      Find("x", "x_", "x_width", transposed)));
  launch.range = LinearRange(count, builder.lanes().group);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
