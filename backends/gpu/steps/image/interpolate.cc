#include "dovetail/backends/gpu/steps/image/interpolate.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/backends/common/compiler/resize_taps.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/lanes/lane_launch.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// {outer, z, y, x, inner} elements to others of z, y and x.
struct Problem {
  int first = 0;  // axis of z
  std::vector<const AxisTaps*> taps;
  Shape in, out;  // as they are stored
  int64_t inner = 1;
};

// The three axes of which all that change are part, of data that stays as it is
// on all others; nothing where they lie apart.
std::optional<Problem> ProblemOf(const std::vector<AxisTaps>& taps,
                                 const Shape& data) {
  const int rank = data.rank();
  int first = rank, last = -1;
  for (int i = 0; i < rank; ++i) {
    if (taps[i].IsIdentity(data[i])) continue;
    first = std::min(first, i);
    last = i;
  }
  if (last - first > 2) return std::nullopt;
  Problem problem;
  problem.first = std::max(0, std::min(first, rank - 3));
  for (int i = problem.first; i < std::min(problem.first + 3, rank); ++i) {
    problem.taps.push_back(&taps[i]);
  }
  return problem;
}

bool ChangesSpatialAxesOnly(const std::vector<AxisTaps>& taps,
                            const Shape& data) {
  return data.rank() >= 3 && taps[0].IsIdentity(data[0]) &&
         taps[1].IsIdentity(data[1]);
}

// Channels, in blocks, are no axis that taps are for.
void KeepSpatialAxes(Problem& problem) {
  while (problem.first < 2) {
    problem.taps.erase(problem.taps.begin());
    ++problem.first;
  }
}

// ---- Tables ----

struct Tables {
  Operand numbers, weights;
};

// For each axis where the taps of each element begin, and behind it their
// numbers; weights lie like these.
absl::StatusOr<Tables> AddTables(const Problem& problem,
                                 std::vector<int64_t>& at,
                                 PlanBuilder& builder) {
  std::vector<int32_t> numbers;
  std::vector<float> weights;
  for (const AxisTaps* taps : problem.taps) {
    at.push_back(static_cast<int64_t>(numbers.size()));
    const int64_t taps_at =
        at.back() + static_cast<int64_t>(taps->first.size());
    for (const int64_t first : taps->first) {
      numbers.push_back(static_cast<int32_t>(taps_at + first));
    }
    numbers.insert(numbers.end(), taps->indices.begin(), taps->indices.end());
    weights.resize(taps_at);
    weights.insert(weights.end(), taps->weights.begin(), taps->weights.end());
  }
  const Shape shape = {static_cast<int64_t>(numbers.size())};
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor number_tensor,
                            Tensor::FromValues<int32_t>(shape, numbers));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor weight_tensor,
                            Tensor::FromValues<float>(shape, weights));
  return Tables{builder.AddConstant(number_tensor),
                builder.AddConstant(weight_tensor)};
}

// ---- Text ----

// Where the taps of an item lie: [tz, z_end) and so on.
constexpr char kPlaces[] =
    "const int block = item % blocks;\n"
    "const int first = min(block * $L, inner - $L);\n"
    "int rest = item / blocks;\n"
    "const int ox = rest % out_x;\nrest /= out_x;\n"
    "const int oy = rest % out_y;\nrest /= out_y;\n"
    "const int oz = rest % out_z;\n"
    "const int image = rest / out_z * in_z * in_y * in_x * inner + first;\n"
    "const int to = item / blocks * inner + first;\n"
    "const int z0 = numbers[at_z + oz], z1 = numbers[at_z + oz + 1];\n"
    "const int y0 = numbers[at_y + oy], y1 = numbers[at_y + oy + 1];\n"
    "const int x0 = numbers[at_x + ox], x1 = numbers[at_x + ox + 1];\n";

// Along x, then y, then z: as the reference kernel rounds.
constexpr char kWeigh[] =
    "$V sum = 0;\n"
    "for (int tz = z0; tz < z1; ++tz) {\n"
    "  const int slice = numbers[tz] * in_y;\n"
    "  $V plane = 0;\n"
    "  for (int ty = y0; ty < y1; ++ty) {\n"
    "    const int row = (slice + numbers[ty]) * in_x;\n"
    "    $V along = 0;\n"
    "    for (int tx = x0; tx < x1; ++tx) {\n"
    "      along += weights[tx] *\n"
    "               $LOAD(data + image + (row + numbers[tx]) * inner);\n"
    "    }\n"
    "    plane += weights[ty] * along;\n"
    "  }\n"
    "  sum += weights[tz] * plane;\n"
    "}\n"
    "$STORE(sum, out + to);\n";

// One tap, or none in padding.
constexpr char kPick[] =
    "const bool is_there = z0 < z1 && y0 < y1 && x0 < x1;\n"
    "$V value = 0;\n"
    "if (is_there) {\n"
    "  const int row = (numbers[z0] * in_y + numbers[y0]) * in_x;\n"
    "  value = $LOAD(data + image + (row + numbers[x0]) * inner);\n"
    "}\n"
    "$STORE(value, out + to);\n";

// In front of those that there are, up to three, axes of one element.
void AddMissingAxes(Problem& problem) {
  static const auto& kSingle = *new AxisTaps{{0, 1}, {0}, {1}};
  while (problem.taps.size() < 3) {
    problem.taps.insert(problem.taps.begin(), &kSingle);
  }
}

// at: where the tables of each of the three axes begin. missing: how many of
// them the data does not have.
void AddExtents(const Problem& problem, const std::vector<int64_t>& at,
                int missing, LaneLaunch& launch) {
  constexpr const char* kAxes[] = {"z", "y", "x"};
  for (int i = 0; i < 3; ++i) {
    const int axis = problem.first + i - missing;
    launch.Int(absl::StrCat("in_", kAxes[i]),
               i < missing ? 1 : problem.in[axis]);
    launch.Int(absl::StrCat("out_", kAxes[i]), problem.taps[i]->output());
    launch.Int(absl::StrCat("at_", kAxes[i]), at[i]);
  }
}

absl::Status AddResize(const Node& node, Problem& problem, bool weighs,
                       const Operand& input, const Operand& output,
                       PlanBuilder& builder) {
  const int missing = 3 - static_cast<int>(problem.taps.size());
  AddMissingAxes(problem);
  std::vector<int64_t> at;
  DOVETAIL_ASSIGN_OR_RETURN(const Tables tables,
                            AddTables(problem, at, builder));
  const bool is_float = node.port().type == ElementType::kF32;
  const int most = is_float ? builder.lanes().lanes : 1;
  const int lanes = problem.inner >= most ? most : 1;
  const std::string element(ClBytes(BitWidth(input.format.type) / 8));
  LaneLaunch launch(builder, lanes);
  if (is_float) {
    launch.Input("data", input);
  } else {
    launch.Input("data", element, input);
  }
  launch.Input("numbers", "int", tables.numbers);
  if (weighs) launch.Input("weights", "float", tables.weights);
  if (is_float) {
    launch.Output("out", output);
  } else {
    launch.Output("out", element, output);
  }
  AddExtents(problem, at, missing, launch);
  const int64_t blocks = CeilDivide(problem.inner, int64_t{lanes});
  launch.Int("inner", problem.inner);
  launch.Int("blocks", blocks);
  launch.Items(problem.out.Count() / problem.inner * blocks, /*heavy=*/false);
  launch.Body(kPlaces);
  // The only lane of what is no float has its own type.
  launch.Body(weighs     ? std::string(kWeigh)
              : is_float ? std::string(kPick)
                         : absl::StrReplaceAll(kPick, {{"$V", element}}));
  builder.AddLaunch(
      node, launch.Finish(weighs ? KernelName("resize", output.format.type)
                                 : "resize_nearest"));
  return absl::OkStatus();
}

// Whether each element is one of the input, or padding.
bool Picks(const std::vector<AxisTaps>& taps) {
  for (const AxisTaps& axis : taps) {
    for (size_t i = 0; i + 1 < axis.first.size(); ++i) {
      if (axis.first[i + 1] - axis.first[i] > 1) return false;
    }
    for (const double weight : axis.weights) {
      if (weight != 1) return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> EmitInterpolate(const Node& node, PlanBuilder& builder) {
  const Value data = node.input(0);
  const Value result = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(data);
  if (!HasClType(data.type()) || shape.rank() == 0) return false;
  const auto taps = ResizeTapsOf(node);
  if (!taps) return false;
  auto problem = ProblemOf(*taps, shape);
  const bool picks = Picks(*taps);
  const bool is_float = data.type() == ElementType::kF32;
  if (!problem || !(picks || is_float)) return false;
  Format format = builder.FormatOf(data);
  const bool is_spatial = problem->first + problem->taps.size() ==
                              static_cast<size_t>(shape.rank()) &&
                          ChangesSpatialAxesOnly(*taps, shape);
  if (format.layout != Layout::kBlocked16 || !is_spatial || !is_float) {
    format.layout = Layout::kPlanar;
  }
  if (format.layout == Layout::kBlocked16) KeepSpatialAxes(*problem);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand input, builder.Read(data, format));
  const Operand output =
      builder.Write(result, builder.StorageFormat(result, format.layout));
  problem->in = StoredDims(shape, format.layout);
  problem->out = StoredDims(PlanBuilder::ShapeOf(result), format.layout);
  problem->inner =
      problem->in.Count(problem->first + static_cast<int>(problem->taps.size()),
                        problem->in.rank());
  DOVETAIL_RETURN_IF_ERROR(
      AddResize(node, *problem, !picks, input, output, builder));
  return true;
}

}  // namespace dovetail::gpu
