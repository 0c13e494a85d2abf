#include "dovetail/backends/gpu/steps/linear/compressed.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/linear/group_numbers.h"
#include "dovetail/backends/common/linear/weight_expression.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/linear/matmul.h"

namespace dovetail::gpu {
namespace {

// One byte an integer, as signed as they are.
absl::StatusOr<Tensor> BytesOf(const Tensor& stored, bool is_signed) {
  const ElementType type = is_signed ? ElementType::kI8 : ElementType::kU8;
  if (stored.type() == type) return stored;
  return ConvertTensor(stored, type);
}

// Rows of 4 bits lie two by two in a byte, the first one in its lower half.
void PackCodes(const uint8_t* from, const MatrixOperand& b,
               const CompressedPanels& panels, int64_t panel, uint8_t* to) {
  const PanelForm& form = panels.form;
  const int64_t first = panel * form.width;
  const int64_t count = std::min(form.width, form.columns - first);
  const int64_t rows = 8 / panels.text.bits;
  std::fill_n(to, form.depth / rows * form.width, uint8_t{0});
  for (int64_t k = 0; k < form.depth; ++k) {
    const uint8_t* row = from + k * b.row_stride + first * b.column_stride;
    uint8_t* packed = to + k / rows * form.width;
    for (int64_t c = 0; c < count; ++c) {
      const uint8_t code = row[c * b.column_stride];
      if (rows == 1) {
        packed[c] = code;
      } else {
        packed[c] |= static_cast<uint8_t>((code & 15) << (k % 2 * 4));
      }
    }
  }
}

PackingKey KeyOf(const MatMulProblem& problem, const CompressedPanels& panels,
                 absl::string_view what) {
  PackingKey key = WeightKey(problem.node->input(1));
  key.form = absl::StrCat(
      "opencl ", what, ":", key.form, ":", panels.form.width, ",",
      panels.form.depth, ",", panels.form.columns, ",", panels.text.bits, ",",
      problem.shapes.b.row_stride, ",", problem.shapes.b.column_stride);
  return key;
}

absl::StatusOr<Operand> PackAllCodes(const MatMulProblem& problem,
                                     const CompressedPanels& panels,
                                     PlanBuilder& builder) {
  const Tensor stored =
      *PlanBuilder::PackableConstantOf(panels.weights.constant);
  const bool is_byte = BitWidth(stored.type()) == 8;
  const int count = static_cast<int>(panels.form.panels());
  const int64_t bytes =
      panels.form.depth * panels.form.width * panels.text.bits / 8;
  const auto pack = [=, b = problem.shapes.b](absl::Span<const Tensor>,
                                              void* packed,
                                              int part) -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor codes,
                              BytesOf(stored, panels.text.is_signed));
    const int last = is_byte ? part + 1 : count;
    for (int panel = part; panel < last; ++panel) {
      PackCodes(static_cast<const uint8_t*>(codes.raw_data()), b, panels, panel,
                static_cast<uint8_t*>(packed) + panel * bytes);
    }
    return absl::OkStatus();
  };
  return builder.GetOrPack(KeyOf(problem, panels, "codes"), count * bytes, pack,
                           is_byte ? count : 1);
}

// [panel, group, columns of a panel].
void PackNumbers(const GroupNumbers& numbers, const CompressedPanels& panels,
                 float* to) {
  const PanelForm& form = panels.form;
  for (int64_t panel = 0; panel < form.panels(); ++panel) {
    for (int64_t g = 0; g < panels.groups; ++g) {
      for (int64_t c = 0; c < form.width; ++c) {
        const int64_t column = panel * form.width + c;
        *to++ = column < form.columns ? numbers.At(g, column) : 0.0f;
      }
    }
  }
}

absl::StatusOr<Operand> PackAllNumbers(const MatMulProblem& problem,
                                       const CompressedPanels& panels,
                                       bool is_scale, PlanBuilder& builder) {
  const auto pack = [=](absl::Span<const Tensor>, void* packed,
                        int) -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(
        const GroupNumbers numbers,
        is_scale ? ScalesOf(panels.weights, panels.is_transposed)
                 : ZeroPointsOf(panels.weights, panels.is_transposed));
    PackNumbers(numbers, panels, static_cast<float*>(packed));
    return absl::OkStatus();
  };
  const int64_t count =
      panels.form.panels() * panels.groups * panels.form.width;
  return builder.GetOrPack(
      KeyOf(problem, panels, is_scale ? "scales" : "zero points"),
      count * static_cast<int64_t>(sizeof(float)), pack);
}

}  // namespace

absl::StatusOr<std::optional<CompressedPanels>> CompressedPanelsOf(
    const MatMulProblem& problem, const PanelForm& form) {
  if (problem.shapes.batch != 1) return std::nullopt;
  const auto weights = MatchCompressedWeights(*problem.node);
  if (!weights.has_value()) return std::nullopt;
  const Tensor& stored = *PlanBuilder::PackableConstantOf(weights->constant);
  if (!IsInteger(stored.type()) || !stored.is_contiguous()) return std::nullopt;
  CompressedPanels panels;
  panels.weights = *weights;
  panels.is_transposed = problem.node->As<MatMulAttributes>()->transpose_b;
  panels.form = form;
  panels.group = weights->group_size;
  panels.groups = form.depth / panels.group;
  // Two rows of a byte are of one group.
  panels.text.bits =
      BitWidth(stored.type()) <= 4 && panels.group % 2 == 0 ? 4 : 8;
  panels.text.is_signed = IsSigned(stored.type());
  DOVETAIL_ASSIGN_OR_RETURN(const GroupNumbers zeros,
                            ZeroPointsOf(*weights, panels.is_transposed));
  panels.text.has_zeros = !zeros.AreEqual();
  panels.type =
      absl::StrCat(panels.text.is_signed ? "i" : "u", panels.text.bits);
  return panels;
}

absl::Status AddCompressedBuffers(const MatMulProblem& problem,
                                  const CompressedPanels& panels,
                                  PlanBuilder& builder, Launch& launch) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand codes,
                            PackAllCodes(problem, panels, builder));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand scales,
                            PackAllNumbers(problem, panels, true, builder));
  launch.writer.Input("b", panels.text.is_signed ? "char" : "uchar");
  launch.writer.Input("s", "float");
  launch.inputs.push_back(codes);
  launch.inputs.push_back(scales);
  if (!panels.text.has_zeros) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(const Operand zeros,
                            PackAllNumbers(problem, panels, false, builder));
  launch.writer.Input("z", "float");
  launch.inputs.push_back(zeros);
  return absl::OkStatus();
}

absl::Status AddCompressedSizes(const CompressedPanels& panels,
                                Launch& launch) {
  DOVETAIL_ASSIGN_OR_RETURN(const GroupNumbers zeros,
                            ZeroPointsOf(panels.weights, panels.is_transposed));
  AddInt(launch, "groups", panels.groups);
  AddInt(launch, "group", panels.group);
  AddScalar(launch, "zero", zeros.At(0, 0));
  return absl::OkStatus();
}

}  // namespace dovetail::gpu
