#include "dovetail/backends/cpu/steps/linear/gemm_cut.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/bf16_product.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/unpacked_product.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::cpu {
namespace {

// What one task is worth: less is not worth handing to another thread, more
// does not stay in the L2 cache.
constexpr int64_t kLeastMultiplications = int64_t{1} << 17;
constexpr int64_t kLeastWeights = int64_t{1} << 14;  // elements
constexpr int64_t kMaxColumns = 512;
// Two, so that one thread that is held up does not hold up the others for long:
// with one BERT-base is a fiftieth faster, with eight, whose rows are read once
// more each, a ninth slower (two threads of a Xeon with AVX-512).
constexpr int64_t kTasksPerThread = 2;
// Of few rows, which read weights once: long runs come faster from memory.
constexpr int64_t kThinTasksPerThread = 4;

// Rows that the kernel computes together.
int64_t TileRowsOf(const GemmStepOptions& options) {
  if (options.panels.has_value()) return kMaxFewRows;
  if (options.narrow) return 2 * kBf16Rows;
  return options.quantization_group > 0 ? QuantizedTileRows() : GemmTileRows();
}

// Whether each thread should have rows of its own, though all fit one part: of
// few columns, parts of one panel or two would leave the epilogue short rows.
// MobileBERT in f32 is a twentieth faster so (two threads of a Zen 4).
bool PartsRowsFirst(const GemmStepOptions& options, int64_t tiles) {
  const MatrixShapes& shapes = options.shapes;
  const bool is_plain = !options.narrow && !options.compressed.has_value() &&
                        !options.panels.has_value();
  return is_plain && options.threads > 1 && shapes.batch == 1 &&
         tiles >= 2 * options.threads && shapes.columns <= shapes.rows;
}

}  // namespace

int64_t GemmWidthOf(const GemmStepOptions& options) {
  return options.panels.has_value() ? options.panels->width : GemmPanelWidth();
}

GemmCut GemmCutOf(const GemmStepOptions& options) {
  const MatrixShapes& shapes = options.shapes;
  const int threads = options.threads;
  GemmCut cut;
  const int64_t tile = TileRowsOf(options);
  cut.rows = shapes.rows;
  cut.tile_rows = tile;
  cut.tiles = CeilDivide(shapes.rows, tile);
  const int64_t most =
      (options.narrow ? kUnpackedRowsAtATime : kGemmRowsAtATime) / tile;
  cut.row_parts = CeilDivide(cut.tiles, most);
  if (PartsRowsFirst(options, cut.tiles)) {
    cut.row_parts = std::max<int64_t>(cut.row_parts, threads);
  }

  const int64_t width = GemmWidthOf(options);
  const int64_t panels = CeilDivide(shapes.columns, width);
  const int64_t rows = CeilDivide(shapes.rows, cut.row_parts);
  // The least and the most that a task should have.
  const int64_t least = std::max<int64_t>(
      1,
      std::max(CeilDivide(kLeastMultiplications, rows * shapes.depth * width),
               CeilDivide(kLeastWeights, shapes.depth * width)));
  const int64_t most_panels =
      shapes.rows <= tile ? panels : kMaxColumns / width;
  int64_t wanted = most_panels;
  if (threads > 1) {
    const int64_t tasks =
        shapes.rows <= tile ? kThinTasksPerThread : kTasksPerThread;
    const int64_t parts =
        CeilDivide(threads * tasks, shapes.batch * cut.row_parts);
    wanted = std::min(wanted, CeilDivide(panels, parts));
  }
  cut.panel_parts =
      CeilDivide(panels, std::min(panels, std::max(least, wanted)));
  // The threads have equally much to do.
  if (threads > 1 && cut.panel_parts > threads) {
    cut.panel_parts = std::min(panels, RoundUp(cut.panel_parts, threads));
  }
  const int64_t tasks = shapes.batch * cut.row_parts * cut.panel_parts;
  if (cut.row_parts > 1 && tasks % threads != 0) {
    cut.row_parts = std::min(cut.tiles, RoundUp(cut.row_parts, threads));
  }
  return cut;
}

}  // namespace dovetail::cpu
