#include "dovetail/backends/gpu/steps/linear/matmul.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/epilogue/product_epilogue.h"
#include "dovetail/backends/gpu/steps/linear/matmul_kernel.h"
#include "dovetail/backends/gpu/steps/linear/panels.h"
#include "dovetail/backends/gpu/steps/linear/problem.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

constexpr Format kFormat = {ElementType::kF32, Layout::kPlanar};

// Which products a batch has: where each a begins, and which b it takes.
absl::Status AddBatch(const MatrixShapes& shapes, PlanBuilder& builder,
                      Launch& launch) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand offsets,
                            AddInts(shapes.a.offsets, builder));
  const std::vector<int64_t> numbers(shapes.b_of_product.begin(),
                                     shapes.b_of_product.end());
  DOVETAIL_ASSIGN_OR_RETURN(const Operand matrices, AddInts(numbers, builder));
  launch.writer.Input("a_offsets", "int");
  launch.writer.Input("b_numbers", "int");
  launch.inputs.push_back(offsets);
  launch.inputs.push_back(matrices);
  return absl::OkStatus();
}

void AddSizes(const MatrixShapes& shapes, const PanelForm& form,
              Launch& launch) {
  const std::pair<const char*, int64_t> ints[] = {
      {"rows", shapes.rows},
      {"columns", shapes.columns},
      {"depth", shapes.depth},
      {"a_row", shapes.a.row_stride},
      {"a_column", shapes.a.column_stride},
      {"b_matrix", form.matrix_floats()}};
  for (const auto& [name, value] : ints) {
    launch.writer.Int(name);
    launch.scalars.emplace_back(static_cast<int32_t>(value));
  }
}

absl::Status AddBuffers(const MatMulProblem& problem, const PanelForm& form,
                        const ProductEpilogue& epilogue, PlanBuilder& builder,
                        Launch& launch) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand a,
                            builder.Read(problem.node->input(0), kFormat));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand b,
                            ReadPanels(problem, form, builder));
  launch.writer.Input("a", "float");
  launch.writer.Input("b", "float");
  launch.inputs = {a, b};
  if (problem.shapes.batch > 1) {
    DOVETAIL_RETURN_IF_ERROR(AddBatch(problem.shapes, builder, launch));
  }
  DOVETAIL_RETURN_IF_ERROR(epilogue.AddOperands(kFormat, builder, launch));
  launch.writer.Output("y", "float");
  launch.outputs = {builder.Write(epilogue.result(), kFormat)};
  return absl::OkStatus();
}

absl::Status Emit(const MatMulProblem& problem, const MatMulBlock& block,
                  const PanelForm& form, PlanBuilder& builder) {
  const Node& node = *problem.node;
  const auto epilogue = ProductEpilogue::Find(PlanBuilder::OutputOf(node),
                                              problem.column_axis, builder);
  Launch launch;
  launch.kernel = problem.shapes.rows == 1 ? "gemv_f32" : "matmul_f32";
  DOVETAIL_RETURN_IF_ERROR(
      AddBuffers(problem, form, epilogue, builder, launch));
  epilogue.Fuse(builder);
  AddSizes(problem.shapes, form, launch);
  launch.writer.Helper(LaneFunctions(block.lanes));
  launch.writer.Body(MatMulBody(block, epilogue.AddText(block.lanes, launch)));
  launch.range.dims = 3;
  launch.range.global[0] = CeilDivide(problem.shapes.rows, int64_t{block.rows});
  launch.range.global[1] = form.panels();
  launch.range.global[2] = problem.shapes.batch;
  if (block.lanes == 16) {
    launch.writer.Group(1);
    std::fill_n(launch.range.local, 3, 1);
  }
  builder.AddLaunch(node, std::move(launch));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder) {
  const auto problem = MatMulProblemOf(node);
  if (!problem.has_value() || node.port().type != ElementType::kF32) {
    return false;
  }
  const MatrixShapes& shapes = problem->shapes;
  MatMulBlock block =
      ChooseMatMulBlock(builder.lanes().lanes, shapes.rows, shapes.columns);
  block.is_batch = shapes.batch > 1;
  const PanelForm form = PanelFormOf(shapes, block.columns());
  if (form.floats() > std::numeric_limits<int32_t>::max()) return false;
  DOVETAIL_RETURN_IF_ERROR(Emit(*problem, block, form, builder));
  return true;
}

}  // namespace dovetail::gpu
