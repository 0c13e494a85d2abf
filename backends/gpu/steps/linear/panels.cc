#include "dovetail/backends/gpu/steps/linear/panels.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// Rows of a panel that a work item makes.
constexpr int64_t kRowsAtATime = 16;

// `from` is where the matrix begins.
void PackPanel(const float* from, const MatrixOperand& b, const PanelForm& form,
               int64_t panel, float* to) {
  const int64_t first = panel * form.width;
  const int64_t count = std::min(form.width, form.columns - first);
  for (int64_t k = 0; k < form.depth; ++k, to += form.width) {
    const float* row = from + k * b.row_stride + first * b.column_stride;
    for (int64_t c = 0; c < count; ++c) to[c] = row[c * b.column_stride];
    std::fill(to + count, to + form.width, 0.0f);
  }
}

PackingKey KeyOf(const MatMulProblem& problem, const PanelForm& form) {
  PackingKey key = WeightKey(problem.node->input(1));
  key.form =
      absl::StrCat("opencl panels:", key.form, ":", form.width, ",", form.depth,
                   ",", form.columns, ",", problem.shapes.b.row_stride, ",",
                   problem.shapes.b.column_stride, ",", form.matrices);
  return key;
}

// Of a constant, or of what is computed from some when the plan is made.
absl::StatusOr<Operand> PackWeights(const MatMulProblem& problem,
                                    const PanelForm& form,
                                    PlanBuilder& builder) {
  const Value value = problem.node->input(1);
  const bool is_constant = PlanBuilder::IsConstant(value);
  const int parts = static_cast<int>(form.matrices * form.panels());
  const auto pack_panel = [b = problem.shapes.b,
                           matrices = problem.shapes.b_matrices,
                           form](const Tensor& from, void* packed, int part) {
    const int64_t matrix = part / form.panels(), panel = part % form.panels();
    PackPanel(from.data<float>() + matrices[matrix], b, form, panel,
              static_cast<float*>(packed) + part * form.depth * form.width);
  };
  const auto pack = [=](absl::Span<const Tensor> constants, void* packed,
                        int part) -> absl::Status {
    if (is_constant) {
      pack_panel(constants[0], packed, part);
      return absl::OkStatus();
    }
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor weights, EvaluateWeights(value));
    for (int i = 0; i < parts; ++i) pack_panel(weights, packed, i);
    return absl::OkStatus();
  };
  return builder.GetOrPack(KeyOf(problem, form),
                           form.floats() * static_cast<int64_t>(sizeof(float)),
                           pack, is_constant ? parts : 1);
}

constexpr char kBody[] = R"(
  const int first_k = get_global_id(0) * rows_at_a_time;
  const int last_k = min(first_k + rows_at_a_time, depth);
  const int panel = get_global_id(1), matrix = get_global_id(2);
  const int panels = get_global_size(1);
  const __global float* from =
      b + matrices[matrix] + panel * width * column_stride;
  __global float* to = packed + (matrix * panels + panel) * depth * width;
  const int count = min(width, columns - panel * width);
  for (int c = 0; c < count; ++c) {
    for (int k = first_k; k < last_k; ++k) {
      to[k * width + c] = from[k * row_stride + c * column_stride];
    }
  }
  for (int k = first_k; k < last_k; ++k) {
    for (int c = count; c < width; ++c) to[k * width + c] = 0.0f;
  }
)";

}  // namespace

PanelForm PanelFormOf(const MatrixShapes& shapes, int64_t width) {
  return {static_cast<int64_t>(shapes.b_matrices.size()), shapes.depth,
          shapes.columns, width};
}

absl::StatusOr<Operand> ReadPanels(const MatMulProblem& problem,
                                   const PanelForm& form,
                                   PlanBuilder& builder) {
  const Value value = problem.node->input(1);
  const Tensor* constant = PlanBuilder::PackableConstantOf(value);
  if (constant != nullptr ? constant->is_contiguous()
                          : !builder.IsReady(value)) {
    return PackWeights(problem, form, builder);
  }
  Launch launch;
  launch.kernel = "pack_panels_f32";
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand b,
      builder.Read(value, {ElementType::kF32, Layout::kPlanar}));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand matrices,
                            AddInts(problem.shapes.b_matrices, builder));
  Operand packed = builder.Scratch(form.floats() * sizeof(float));
  packed.format.type = ElementType::kF32;
  launch.writer.Input("b", "float");
  launch.writer.Input("matrices", "int");
  launch.writer.Output("packed", "float");
  launch.inputs = {b, matrices};
  launch.outputs = {packed};
  const std::pair<const char*, int64_t> ints[] = {
      {"depth", form.depth},
      {"columns", form.columns},
      {"width", form.width},
      {"row_stride", problem.shapes.b.row_stride},
      {"column_stride", problem.shapes.b.column_stride},
      {"rows_at_a_time", kRowsAtATime}};
  for (const auto& [name, number] : ints) {
    launch.writer.Int(name);
    launch.scalars.emplace_back(static_cast<int32_t>(number));
  }
  launch.writer.Group(1);
  launch.writer.Body(kBody);
  launch.range.dims = 3;
  launch.range.global[0] = CeilDivide(form.depth, kRowsAtATime);
  launch.range.global[1] = form.panels();
  launch.range.global[2] = form.matrices;
  std::fill_n(launch.range.local, 3, 1);
  builder.AddLaunch(*problem.node, std::move(launch));
  return packed;
}

}  // namespace dovetail::gpu
