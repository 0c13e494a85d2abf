#include "dovetail/backends/gpu/steps/linear/matmul.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
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

// Floats that are broadcast are f32 on processors: to widen them one by one
// costs as much as their products.
Format LeftFormat(Value value, const PlanBuilder& builder) {
  const Format stored = builder.StoredFormat(value);
  if (builder.lanes().lanes < 16) return stored;
  return {ElementType::kF32, stored.layout};
}

// Which products a batch has: where each a begins, and which b it takes.
absl::Status AddBatch(const MatrixShapes& shapes, PlanBuilder& builder,
                      Launch& launch) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand offsets,
                            AddInts(shapes.a.offsets, builder));
  const std::vector<int64_t> numbers(shapes.b_of_product.begin(),
                                     shapes.b_of_product.end());
  DOVETAIL_ASSIGN_OR_RETURN(const Operand matrices, AddInts(numbers, builder));
  AddInput(launch, "a_offsets", "int", offsets);
  AddInput(launch, "b_numbers", "int", matrices);
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
    AddInt(launch, name, value);
  }
}

absl::Status AddBuffers(const MatMulProblem& problem, const PanelForm& form,
                        const Compressed& compressed,
                        const ProductEpilogue& epilogue, PlanBuilder& builder,
                        Launch& launch) {
  const Value left = problem.node->input(0);
  DOVETAIL_ASSIGN_OR_RETURN(const Operand a,
                            builder.Read(left, LeftFormat(left, builder)));
  AddInput(launch, "a", ClType(a.format.type), a);
  if (compressed.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(
        AddCompressedBuffers(problem, *compressed, builder, launch));
  } else {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand b,
                              ReadPanels(problem, form, builder));
    AddInput(launch, "b", ClType(form.stored), b);
  }
  if (problem.shapes.batch > 1) {
    DOVETAIL_RETURN_IF_ERROR(AddBatch(problem.shapes, builder, launch));
  }
  DOVETAIL_RETURN_IF_ERROR(
      epilogue.AddOperands(Layout::kPlanar, builder, launch));
  AddOutput(
      launch, "y", ClType(epilogue.stored()),
      builder.Write(epilogue.result(), {epilogue.stored(), Layout::kPlanar}));
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
  const absl::string_view kind = problem.shapes.rows == 1 ? "gemv" : "matmul";
  launch.kernel = compressed ? absl::StrCat(kind, "_", compressed->type)
                             : KernelName(kind, block.stored);
  DOVETAIL_RETURN_IF_ERROR(
      AddBuffers(problem, form, compressed, epilogue, builder, launch));
  epilogue.Fuse(builder);
  AddSizes(problem.shapes, form, launch);
  if (compressed.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(AddCompressedSizes(*compressed, launch));
  }
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

std::optional<FloatProduct> FloatProductOf(const Node& node,
                                           const PlanBuilder& builder) {
  const auto problem = MatMulProblemOf(node);
  if (!problem.has_value() || node.port().type != ElementType::kF32) {
    return std::nullopt;
  }
  const MatrixShapes& shapes = problem->shapes;
  MatMulBlock block =
      ChooseMatMulBlock(builder.lanes().lanes, shapes.rows, shapes.columns);
  block.is_batch = shapes.batch > 1;
  block.stored = builder.StorageOf(ElementType::kF32);
  const PanelForm form = PanelFormOf(shapes, block.columns(), block.stored);
  if (form.floats() > kMostElements) return std::nullopt;
  return FloatProduct{*problem, block, form};
}

}  // namespace

absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder) {
  auto product = FloatProductOf(node, builder);
  if (!product.has_value()) return false;
  product->block.data = LeftFormat(node.input(0), builder).type;
  DOVETAIL_RETURN_IF_ERROR(
      Emit(product->problem, product->block, product->form, builder));
  return true;
}

bool TakesMatMul(const Node& node, const PlanBuilder& builder) {
  return FloatProductOf(node, builder).has_value();
}

}  // namespace dovetail::gpu
