#include "dovetail/backends/cpu/steps/linear/gemm_step.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dovetail/backends/cpu/kernels/common/bf16_rows.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"
#include "dovetail/backends/cpu/kernels/linear/epilogue.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/few_rows.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/unpacked_product.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"
#include "dovetail/backends/cpu/steps/linear/gemm_cut.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Elements from a rounded row to the next.
int64_t NarrowStrideOf(const GemmStepOptions& options) {
  return RoundUp(options.shapes.depth, kBf16Depth);
}

constexpr int64_t kPackedAtATime = int64_t{1} << 14;  // elements
// Elements of rows that are quantized, or rounded.
constexpr int64_t kPreparedAtATime = int64_t{1} << 14;
constexpr int kMaxEpilogueOperands = 16;

class GemmStep : public Step {
 public:
  explicit GemmStep(GemmStepOptions options)
      : options_(std::move(options)),
        cut_(GemmCutOf(options_)),
        width_(GemmWidthOf(options_)),
        panels_(CeilDivide(options_.shapes.columns, width_)),
        matrix_elements_(PackedGemmElements(options_.shapes.depth,
                                            options_.shapes.columns)) {}

  absl::Status Run(const StepRun& run) const override {
    const float* packed = run.input<float>(1);
    float* const scratch = static_cast<float*>(run.scratch);
    if (options_.narrow) {
      RoundRows(run);
    } else if (options_.quantization_group > 0) {
      // Else each task quantizes the rows that it alone reads.
      if (cut_.panel_parts > 1) Quantize(run);
    } else if (options_.compressed.has_value()) {
      if (scratch != nullptr) PrepareThinRows(CompressedOf(run), scratch);
    } else if (options_.b == SecondFactor::kPackedInEachRun) {
      Pack(run, scratch);
      packed = scratch;
    }
    const int64_t tasks =
        options_.shapes.batch * cut_.row_parts * cut_.panel_parts;
    ParallelFor(run.environment->team(), tasks, 1,
                [&](int64_t begin, int64_t end) {
                  for (int64_t task = begin; task < end; ++task) {
                    RunTask(run, packed, task);
                  }
                });
    return absl::OkStatus();
  }

 private:
  void Pack(const StepRun& run, float* packed) const {
    const MatrixShapes& shapes = options_.shapes;
    const int64_t panels = GemmPanels(shapes.columns);
    const int64_t matrices = static_cast<int64_t>(shapes.b_matrices.size());
    const int64_t grain = std::max<int64_t>(
        1, kPackedAtATime / (shapes.depth * GemmPanelWidth()));
    ParallelFor(run.environment->team(), matrices * panels, grain,
                [&](int64_t begin, int64_t end) {
                  while (begin < end) {
                    const int64_t matrix = begin / panels,
                                  first = begin % panels;
                    const int64_t last = std::min(panels, first + end - begin);
                    const StridedMatrix b = {
                        run.input<float>(1) + shapes.b_matrices[matrix],
                        shapes.b.row_stride, shapes.b.column_stride};
                    PackGemmPanels(b, shapes.depth, shapes.columns, first, last,
                                   packed + matrix * matrix_elements_);
                    begin += last - first;
                  }
                });
  }

  void Quantize(const StepRun& run) const {
    const MatrixShapes& shapes = options_.shapes;
    ParallelFor(
        run.environment->team(), shapes.rows,
        CeilDivide(kPreparedAtATime, shapes.depth),
        [&](int64_t begin, int64_t end) { QuantizePart(run, begin, end); });
  }

  void QuantizePart(const StepRun& run, int64_t begin, int64_t end) const {
    const MatrixOperand& a = options_.shapes.a;
    const QuantizedRowLayout layout(*options_.compressed,
                                    options_.quantization_group);
    QuantizeRows(*options_.compressed, layout,
                 run.input<float>(0) + a.offsets[0], a.row_stride, begin, end,
                 static_cast<uint8_t*>(run.scratch));
  }

  // To what tiles read: multiples of kBf16Rows and of kBf16Depth.
  void RoundRows(const StepRun& run) const {
    const MatrixShapes& shapes = options_.shapes;
    ParallelFor(run.environment->team(), shapes.rows,
                CeilDivide(kPreparedAtATime, shapes.depth),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    RoundRowOf(run, row);
                  }
                });
  }

  void RoundRowOf(const StepRun& run, int64_t row) const {
    const int64_t depth = options_.shapes.depth;
    const int64_t stride = NarrowStrideOf(options_);
    const MatrixOperand& a = options_.shapes.a;
    const int64_t from = a.offsets[0] + row * a.row_stride;
    uint16_t* const to = static_cast<uint16_t*>(run.scratch) + row * stride;
    if (options_.is_rounded) {
      std::copy_n(run.input<uint16_t>(0) + from, depth, to);
      std::fill(to + depth, to + stride, uint16_t{0});
    } else {
      RoundRow(run.input<float>(0) + from, depth, stride, to);
    }
  }

  // Panels outermost: the threads read the same weights at about the same time.
  void RunTask(const StepRun& run, const float* packed, int64_t task) const {
    const MatrixShapes& shapes = options_.shapes;
    const int64_t row_part = task % cut_.row_parts;
    task /= cut_.row_parts;
    const int64_t panel_part = task % cut_.panel_parts;
    const int64_t product = task / cut_.panel_parts;
    const int64_t row_begin = cut_.RowBegin(row_part);
    const int64_t row_end = cut_.RowBegin(row_part + 1);
    const int64_t panel_begin = panel_part * panels_ / cut_.panel_parts;
    const int64_t panel_end = (panel_part + 1) * panels_ / cut_.panel_parts;
    if (options_.panels.has_value()) {
      MultiplyFewRows(FewRowsOf(run), panel_begin, panel_end);
    } else if (options_.narrow) {
      RunUnpackedProduct(UnpackedOf(run), row_begin, row_end, panel_begin,
                         panel_end);
    } else if (options_.quantization_group > 0) {
      if (cut_.panel_parts == 1) QuantizePart(run, row_begin, row_end);
      RunQuantizedGemm(QuantizedOf(run), row_begin, row_end, panel_begin,
                       panel_end);
    } else if (options_.compressed.has_value()) {
      RunCompressedGemm(CompressedOf(run), row_begin, row_end, panel_begin,
                        panel_end);
    } else {
      RunGemm(ProblemOf(run, packed, product), row_begin, row_end, panel_begin,
              panel_end);
    }
    if (options_.epilogue.instructions().empty()) return;
    MatrixPart part = {OutputOf(run, product), shapes.columns, row_begin,
                       row_end};
    part.column_begin = panel_begin * width_;
    part.column_end = std::min(shapes.columns, panel_end * width_);
    Finish(run, product, part);
  }

  float* OutputOf(const StepRun& run, int64_t product) const {
    return run.output<float>() +
           product * options_.shapes.rows * options_.shapes.columns;
  }

  GemmProblem ProblemOf(const StepRun& run, const float* packed,
                        int64_t product) const {
    const MatrixShapes& shapes = options_.shapes;
    GemmProblem problem;
    problem.rows = shapes.rows;
    problem.depth = shapes.depth;
    problem.columns = shapes.columns;
    problem.a = {run.input<float>(0) + shapes.a.offsets[product],
                 shapes.a.row_stride, shapes.a.column_stride};
    if (options_.b == SecondFactor::kInPlace) {
      problem.b = {run.input<float>(1) + shapes.b.offsets[product],
                   shapes.b.row_stride, shapes.b.column_stride};
      problem.asks_ahead = options_.asks_ahead;
    } else {
      problem.packed_b =
          packed + shapes.b_of_product[product] * matrix_elements_;
    }
    problem.c = OutputOf(run, product);
    problem.c_stride = shapes.columns;
    SetAdded(run, product, problem);
    return problem;
  }

  // What is added to the products, of any kind of problem.
  template <typename Problem>
  void SetAdded(const StepRun& run, int64_t product, Problem& problem) const {
    int input = 2 + static_cast<int>(options_.epilogue_inputs.size());
    if (options_.bias.has_value()) {
      problem.bias =
          run.input<float>(input++) + options_.bias->offsets[product];
    }
    if (options_.before.has_value()) {
      problem.before = {
          run.input<float>(input) + options_.before->offsets[product],
          options_.before->row_stride, 1};
    }
  }

  CompressedProblem CompressedOf(const StepRun& run) const {
    const MatrixShapes& shapes = options_.shapes;
    CompressedProblem problem;
    problem.b = *options_.compressed;
    problem.packed_b = run.input<uint8_t>(1);
    problem.rows = shapes.rows;
    problem.a = run.input<float>(0) + shapes.a.offsets[0];
    problem.a_stride = shapes.a.row_stride;
    problem.thin_rows = static_cast<const float*>(run.scratch);
    problem.c = OutputOf(run, 0);
    problem.c_stride = shapes.columns;
    SetAdded(run, 0, problem);
    return problem;
  }

  QuantizedProblem QuantizedOf(const StepRun& run) const {
    QuantizedProblem problem;
    problem.b = *options_.compressed;
    problem.packed_b = run.input<uint8_t>(1);
    problem.group = options_.quantization_group;
    problem.rows = static_cast<const uint8_t*>(run.scratch);
    problem.c = OutputOf(run, 0);
    problem.c_stride = options_.shapes.columns;
    SetAdded(run, 0, problem);
    return problem;
  }

  // What products of rounded rows have alike.
  template <typename Problem>
  Problem NarrowOf(const StepRun& run) const {
    Problem problem;
    problem.rows = options_.shapes.rows;
    problem.a = static_cast<const uint16_t*>(run.scratch);
    problem.a_stride = NarrowStrideOf(options_);
    problem.c = OutputOf(run, 0);
    problem.c_stride = options_.shapes.columns;
    SetAdded(run, 0, problem);
    return problem;
  }

  FewRowsProblem FewRowsOf(const StepRun& run) const {
    auto problem = NarrowOf<FewRowsProblem>(run);
    problem.depth = options_.shapes.depth;
    problem.columns = options_.shapes.columns;
    problem.b = run.input<uint32_t>(1);
    problem.panels = *options_.panels;
    return problem;
  }

  UnpackedProblem UnpackedOf(const StepRun& run) const {
    auto problem = NarrowOf<UnpackedProblem>(run);
    problem.b = *options_.compressed;
    problem.packed_b = run.input<uint8_t>(1);
    return problem;
  }

  void Finish(const StepRun& run, int64_t product,
              const MatrixPart& part) const {
    std::array<EpilogueOperand, kMaxEpilogueOperands> operands;
    const size_t count = options_.epilogue_inputs.size();
    for (size_t i = 0; i < count; ++i) {
      const EpilogueInput& input = options_.epilogue_inputs[i];
      operands[i] = {
          run.input<float>(static_cast<int>(i) + 2) + input.offsets[product],
          input.row_stride, input.column_stride};
    }
    RunEpilogue(options_.epilogue, {operands.data(), count}, part);
  }

  const GemmStepOptions options_;
  const GemmCut cut_;
  const int64_t width_, panels_;  // of the second factor
  const int64_t matrix_elements_;
};

}  // namespace

int64_t GemmScratchBytes(const GemmStepOptions& options) {
  const MatrixShapes& shapes = options.shapes;
  if (options.narrow) {
    return RoundUp(shapes.rows, kBf16Rows) * NarrowStrideOf(options) *
           static_cast<int64_t>(sizeof(uint16_t));
  }
  if (options.quantization_group > 0) {
    const QuantizedRowLayout layout(*options.compressed,
                                    options.quantization_group);
    return shapes.rows * layout.stride;
  }
  if (options.compressed.has_value()) {
    return ThinRowsElements(*options.compressed, shapes.rows) *
           static_cast<int64_t>(sizeof(float));
  }
  if (options.b != SecondFactor::kPackedInEachRun) return 0;
  return static_cast<int64_t>(sizeof(float) * shapes.b_matrices.size()) *
         PackedGemmElements(shapes.depth, shapes.columns);
}

std::unique_ptr<Step> MakeGemmStep(GemmStepOptions options) {
  return std::make_unique<GemmStep>(std::move(options));
}

}  // namespace dovetail::cpu
