#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"

#include <algorithm>

#include "dovetail/backends/common/isa/isa_limit.h"
#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_lanes.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_tiles.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::cpu {
namespace {

struct Kernel {
  void (*run)(const QuantizedTile& tile, int64_t rows);
  int64_t tile_rows;
};

#if defined(__x86_64__)

bool HasDotsOf8() {
  return Includes(IsaLimit().value_or(Isa::kAll), Isa::kAvx2Vnni) &&
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("avxvnni");
}

#else

bool HasDotsOf8() { return false; }

#endif

// The one for panels as matrices are packed in here.
Kernel ChooseKernel() {
  const int64_t width = GemmPanelWidth();
  if (width == 32 && HasDotLanes()) {
    return {&RunQuantizedTileBy16, kTileRowsBy16};
  }
  if (width == 16 && HasDotsOf8()) return {&RunQuantizedTileBy8, kTileRowsBy8};
  return {nullptr, 1};
}

const Kernel& TheKernel() {
  static const Kernel kernel = ChooseKernel();
  return kernel;
}

}  // namespace

bool HasQuantizedGemm() { return TheKernel().run != nullptr; }

int64_t QuantizedTileRows() { return TheKernel().tile_rows; }

void RunQuantizedGemm(const QuantizedProblem& problem, int64_t row_begin,
                      int64_t row_end, int64_t panel_begin, int64_t panel_end) {
  const Kernel& kernel = TheKernel();
  if (kernel.run == nullptr) return;
  const CompressedMatrix& b = problem.b;
  const QuantizedRowLayout layout(b, problem.group);
  const int64_t width = GemmPanelWidth();
  QuantizedTile tile;
  tile.b = &b;
  tile.layout = &layout;
  tile.head_bytes = b.HeadBytes();
  tile.c_stride = problem.c_stride;
  tile.before_stride = problem.before.row_stride;
  for (int64_t panel = panel_begin; panel < panel_end; ++panel) {
    tile.panel = problem.packed_b + panel * b.PanelBytes();
    const int64_t column = panel * width;
    tile.columns = std::min(width, b.columns - column);
    if (problem.bias != nullptr) tile.bias = problem.bias + column;
    // About equally many rows in each tile.
    int64_t tiles = CeilDivide(row_end - row_begin, kernel.tile_rows);
    for (int64_t row = row_begin, count = 0; row < row_end; row += count) {
      count = CeilDivide(row_end - row, tiles--);
      tile.rows = problem.rows + row * layout.stride;
      tile.c = problem.c + row * problem.c_stride + column;
      if (problem.before.data != nullptr) {
        tile.before = problem.before.data + row * tile.before_stride + column;
      }
      kernel.run(tile, count);
    }
  }
}

}  // namespace dovetail::cpu
