#include "dovetail/backends/gpu/steps/linear/matmul.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/gpu/codegen/vector_text.h"
#include "dovetail/backends/gpu/steps/epilogue/product_epilogue.h"
#include "dovetail/backends/gpu/steps/linear/compressed.h"
#include "dovetail/backends/gpu/steps/linear/matmul_kernel.h"
#include "dovetail/backends/gpu/steps/linear/panels.h"
#include "dovetail/backends/gpu/steps/linear/problem.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

using Compressed = std::optional<CompressedPanels>;

constexpr int64_t kMostElements = std::numeric_limits<int32_t>::max();
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
                        const Compressed& compressed,
                        const ProductEpilogue& epilogue, PlanBuilder& builder,
                        Launch& launch) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand a,
                            builder.Read(problem.node->input(0), kFormat));
  launch.writer.Input("a", "float");
  launch.inputs = {a};
  if (compressed.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(
        AddCompressedBuffers(problem, *compressed, builder, launch));
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand b,
                              ReadPanels(problem, form, builder));
    launch.writer.Input("b", "float");
    launch.inputs.push_back(b);
  }
  if (problem.shapes.batch > 1) {
    DOVETAIL_RETURN_IF_ERROR(AddBatch(problem.shapes, builder, launch));
  }
  DOVETAIL_RETURN_IF_ERROR(epilogue.AddOperands(kFormat, builder, launch));
  launch.writer.Output("y", "float");
  launch.outputs = {builder.Write(epilogue.result(), kFormat)};
  return absl::OkStatus();
}

// A work item of a processor has all rows of so few, and makes each weight a
// float once; for more rows that costs more than reading floats does.
bool IsCompressionFast(const MatMulProblem& problem, const MatMulBlock& block) {
  return block.lanes < 16 || problem.shapes.rows <= block.rows;
}

// Nothing: the weights are read as floats.
absl::StatusOr<Compressed> FindCompressed(const MatMulProblem& problem,
                                          const MatMulBlock& block,
                                          const PanelForm& form,
                                          const PlanBuilder& builder) {
  if (builder.IsReady(problem.node->input(1)) ||
      !IsCompressionFast(problem, block)) {
    return std::nullopt;
  }
  return CompressedPanelsOf(problem, form);
}

void SetRange(const MatMulProblem& problem, const MatMulBlock& block,
              const PanelForm& form, Launch& launch) {
  launch.range.dims = 3;
  launch.range.global[0] = CeilDivide(problem.shapes.rows, int64_t{block.rows});
  launch.range.global[1] = form.panels();
  launch.range.global[2] = problem.shapes.batch;
  if (block.lanes != 16) return;
  launch.writer.Group(1);
  std::fill_n(launch.range.local, 3, 1);
}

absl::Status Emit(const MatMulProblem& problem, MatMulBlock block,
                  const PanelForm& form, PlanBuilder& builder) {
  const Node& node = *problem.node;
  const auto epilogue = ProductEpilogue::Find(PlanBuilder::OutputOf(node),
                                              problem.column_axis, builder);
  DOVETAIL_ASSIGN_OR_RETURN(const Compressed compressed,
                            FindCompressed(problem, block, form, builder));
  if (compressed.has_value()) block.weights = compressed->text;
  Launch launch;
  launch.kernel = absl::StrCat(problem.shapes.rows == 1 ? "gemv_" : "matmul_",
                               compressed ? compressed->type : "f32");
  DOVETAIL_RETURN_IF_ERROR(
      AddBuffers(problem, form, compressed, epilogue, builder, launch));
  epilogue.Fuse(builder);
  AddSizes(problem.shapes, form, launch);
  if (compressed.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(AddCompressedSizes(*compressed, launch));
  }
  launch.writer.Helper(LaneFunctions(block.lanes));
  launch.writer.Body(MatMulBody(block, epilogue.AddText(block.lanes, launch)));
  SetRange(problem, block, form, launch);
  builder.AddLaunch(node, std::move(launch));
  return absl::OkStatus();
}

// A product of floats, and how a device of so many lanes computes it.
struct FloatProduct {
  MatMulProblem problem;
  MatMulBlock block;
  PanelForm form;
};

std::optional<FloatProduct> FloatProductOf(const Node& node, int lanes) {
  const auto problem = MatMulProblemOf(node);
  if (!problem.has_value() || node.port().type != ElementType::kF32) {
    return std::nullopt;
  }
  const MatrixShapes& shapes = problem->shapes;
  MatMulBlock block = ChooseMatMulBlock(lanes, shapes.rows, shapes.columns);
  block.is_batch = shapes.batch > 1;
  const PanelForm form = PanelFormOf(shapes, block.columns());
  if (form.floats() > kMostElements) return std::nullopt;
  return FloatProduct{*problem, block, form};
}

// Whether EmitMatMul comes to compute the node, and can.
bool Takes(const Node& node, int lanes) {
  const auto is_fine = [](Value value) {
    const int64_t count = PlanBuilder::ShapeOf(value).Count();
    return count > 0 && count <= kMostElements;
  };
  return is_fine(node.input(0)) && is_fine(node.input(1)) &&
         is_fine(PlanBuilder::OutputOf(node)) &&
         FloatProductOf(node, lanes).has_value();
}

}  // namespace

absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder) {
  const auto product = FloatProductOf(node, builder.lanes().lanes);
  if (!product.has_value()) return false;
  DOVETAIL_RETURN_IF_ERROR(
      Emit(product->problem, product->block, product->form, builder));
  return true;
}

absl::StatusOr<bool> EmitWeightExpression(const Node& node,
                                          PlanBuilder& builder) {
  // Kernels of a user's may compute any part of it.
  const auto& custom = builder.settings().custom_kernels;
  if (custom != nullptr && !custom->empty()) return false;
  const int lanes = builder.lanes().lanes;
  return IsOnlyForProducts(
      node, [lanes](const Node& matmul) { return Takes(matmul, lanes); });
}

}  // namespace dovetail::gpu
