#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/codegen/sum_type.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/linear/matmul.h"
#include "dovetail/backends/gpu/steps/linear/problem.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// $0: type of elements, $1: of sums.
constexpr char kBody[] = R"(
  const int i = get_global_id(0);
  if (i >= count) return;
  const int product = i / columns / rows;
  const __global $0* ai = a + a_offsets[product] + i / columns % rows * a_row;
  const __global $0* bi = b + b_offsets[product] + i % columns * b_column;
  $1 sum = 0;
  for (int k = 0; k < depth; ++k) {
    sum += ($1)ai[k * a_column] * ($1)bi[k * b_row];
  }
  y[i] = ($0)sum;
)";

absl::Status AddFactors(const MatMulProblem& problem, const Format& format,
                        PlanBuilder& builder, Launch& launch) {
  for (int i = 0; i < 2; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand factor,
                              builder.Read(problem.node->input(i), format));
    launch.writer.Input(i == 0 ? "a" : "b", ClType(format.type));
    launch.inputs.push_back(factor);
  }
  const MatrixShapes& shapes = problem.shapes;
  for (const MatrixOperand* factor : {&shapes.a, &shapes.b}) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand offsets,
                              AddInts(factor->offsets, builder));
    launch.writer.Input(factor == &shapes.a ? "a_offsets" : "b_offsets", "int");
    launch.inputs.push_back(offsets);
  }
  return absl::OkStatus();
}

void AddSizes(const MatrixShapes& shapes, int64_t count, Launch& launch) {
  const std::pair<const char*, int64_t> ints[] = {
      {"count", count},
      {"rows", shapes.rows},
      {"columns", shapes.columns},
      {"depth", shapes.depth},
      {"a_row", shapes.a.row_stride},
      {"a_column", shapes.a.column_stride},
      {"b_row", shapes.b.row_stride},
      {"b_column", shapes.b.column_stride}};
  for (const auto& [name, value] : ints) {
    launch.writer.Int(name);
    launch.scalars.emplace_back(static_cast<int32_t>(value));
  }
}

}  // namespace

absl::StatusOr<bool> EmitGeneralMatMul(const Node& node, PlanBuilder& builder) {
  const auto problem = MatMulProblemOf(node);
  const ElementType type = node.port().type;
  const absl::string_view sum = SumType(type);
  if (!problem.has_value() || sum.empty()) return false;
  const MatrixShapes& shapes = problem->shapes;
  const Format format = {type, Layout::kPlanar};
  const int64_t count = shapes.batch * shapes.rows * shapes.columns;
  Launch launch;
  launch.kernel = absl::StrCat("matmul_general_", ElementTypeName(type));
  DOVETAIL_RETURN_IF_ERROR(AddFactors(*problem, format, builder, launch));
  launch.writer.Output("y", ClType(type));
  launch.outputs = {builder.Write(PlanBuilder::OutputOf(node), format)};
  AddSizes(shapes, count, launch);
  launch.writer.Group(builder.lanes().group);
  launch.writer.Body(absl::Substitute(kBody, ClType(type), sum));
  launch.range = LinearRange(count, builder.lanes().group);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
