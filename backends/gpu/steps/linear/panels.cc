#include "dovetail/backends/gpu/steps/linear/panels.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail::gpu {
namespace {

// Rows of a panel that a work item makes.
constexpr int64_t kRowsAtATime = 16;

// `from` is where the matrix begins.
template <typename T>
void PackPanel(const float* from, const MatrixOperand& b, const PanelForm& form,
               int64_t panel, T* to) {
  const int64_t first = panel * form.width;
  const int64_t count = std::min(form.width, form.columns - first);
  for (int64_t k = 0; k < form.depth; ++k, to += form.width) {
    const float* row = from + k * b.row_stride + first * b.column_stride;
    for (int64_t c = 0; c < count; ++c) to[c] = T(row[c * b.column_stride]);
    std::fill(to + count, to + form.width, T(0.0f));
  }
}

PackingKey KeyOf(const MatMulProblem& problem, const PanelForm& form) {
  PackingKey key = WeightKey(problem.node->input(1));
  key.form =
      absl::StrCat("opencl panels:", key.form, ":", form.width, ",", form.depth,
                   ",", form.columns, ",", problem.shapes.b.row_stride, ",",
                   problem.shapes.b.column_stride, ",", form.matrices, ",",
                   ElementTypeName(form.stored));
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
    const float* const begin = from.data<float>() + matrices[matrix];
    const int64_t at = part * form.depth * form.width;
    if (form.stored == ElementType::kF16) {
      PackPanel(begin, b, form, panel, static_cast<Float16*>(packed) + at);
    } else {
      PackPanel(begin, b, form, panel, static_cast<float*>(packed) + at);
    }
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
  return builder.GetOrPack(KeyOf(problem, form), form.bytes(), pack,
                           is_constant ? parts : 1);
}

// $0: type of elements.
constexpr char kBody[] = R"(
  const int first_k = get_global_id(0) * rows_at_a_time;
  const int last_k = min(first_k + rows_at_a_time, depth);
  const int panel = get_global_id(1), matrix = get_global_id(2);
  const int panels = get_global_size(1);
  const __global $0* from =
      b + matrices[matrix] + panel * width * column_stride;
  __global $0* to = packed + (matrix * panels + panel) * depth * width;
  const int count = min(width, columns - panel * width);
  for (int c = 0; c < count; ++c) {
    for (int k = first_k; k < last_k; ++k) {
      to[k * width + c] = from[k * row_stride + c * column_stride];
    }
  }
  for (int k = first_k; k < last_k; ++k) {
    for (int c = count; c < width; ++c) to[k * width + c] = 0;
  }
)";

void AddSizes(const MatMulProblem& problem, const PanelForm& form,
              Launch& launch) {
  const std::pair<const char*, int64_t> ints[] = {
      {"depth", form.depth},
      {"columns", form.columns},
      {"width", form.width},
      {"row_stride", problem.shapes.b.row_stride},
      {"column_stride", problem.shapes.b.column_stride},
      {"rows_at_a_time", kRowsAtATime}};
  for (const auto& [name, number] : ints) AddInt(launch, name, number);
}

// Of what is computed when the plan runs, to memory of the next step.
absl::StatusOr<Operand> LaunchPacking(const MatMulProblem& problem,
                                      const PanelForm& form,
                                      PlanBuilder& builder) {
  Launch launch;
  launch.kernel = KernelName("pack_panels", form.stored);
  DOVETAIL_ASSIGN_OR_RETURN(
      const Operand b,
      builder.Read(problem.node->input(1), {form.stored, Layout::kPlanar}));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand matrices,
                            AddInts(problem.shapes.b_matrices, builder));
  Operand packed = builder.Scratch(form.bytes());
  packed.format.type = form.stored;
  const absl::string_view element = ClMoved(form.stored);
  AddInput(launch, "b", element, b);
  AddInput(launch, "matrices", "int", matrices);
  AddOutput(launch, "packed", element, packed);
  AddSizes(problem, form, launch);
  launch.writer.Group(1);
  launch.writer.Body(absl::Substitute(kBody, element));
  launch.range.dims = 3;
  launch.range.global[0] = CeilDivide(form.depth, kRowsAtATime);
  launch.range.global[1] = form.panels();
  launch.range.global[2] = form.matrices;
  std::fill_n(launch.range.local, 3, 1);
  builder.AddLaunch(*problem.node, std::move(launch));
  return packed;
}

}  // namespace

PanelForm PanelFormOf(const MatrixShapes& shapes, int64_t width,
                      ElementType stored) {
  return {static_cast<int64_t>(shapes.b_matrices.size()), shapes.depth,
          shapes.columns, width, stored};
}

absl::StatusOr<Operand> ReadPanels(const MatMulProblem& problem,
                                   const PanelForm& form,
                                   PlanBuilder& builder) {
  const Value value = problem.node->input(1);
  const Tensor* constant = PlanBuilder::PackableConstantOf(value);
  const bool is_known =
      constant != nullptr ? constant->is_contiguous() : !builder.IsReady(value);
  return is_known ? PackWeights(problem, form, builder)
                  : LaunchPacking(problem, form, builder);
}

}  // namespace dovetail::gpu
