// Matrix multiplications of f32 whose second factor is packed: cut into panels
// of some columns, each of which lies in memory row after row.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_GEMM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_GEMM_H_

#include <cstdint>

namespace dovetail::cpu {

// Columns of a panel, with the instructions of this processor.
int64_t GemmPanelWidth();
// Rows that are computed together.
int64_t GemmTileRows();
inline int64_t GemmPanels(int64_t columns) {
  return (columns + GemmPanelWidth() - 1) / GemmPanelWidth();
}
// Elements of a packed matrix [depth, columns]; its last panel is padded with
// zeros.
inline int64_t PackedGemmElements(int64_t depth, int64_t columns) {
  return depth * GemmPanels(columns) * GemmPanelWidth();
}

// A matrix in memory: element (i, j) is data[i * row_stride + j *
// column_stride].
struct StridedMatrix {
  const float* data = nullptr;
  int64_t row_stride = 0, column_stride = 1;
};

// Packs panels [begin, end) of b [depth, columns] to where they belong in
// `packed`. b may be at any address.
void PackGemmPanels(const StridedMatrix& b, int64_t depth, int64_t columns,
                    int64_t begin, int64_t end, float* packed);

// c [rows, columns] = a [rows, depth] * b [depth, columns] + bias + before.
struct GemmProblem {
  int64_t rows = 0, depth = 0, columns = 0;
  StridedMatrix a;
  const float* packed_b = nullptr;
  // As it lies in memory, at any address, in place of packed_b. Then there is
  // one row, and the elements of a, and of each column of b, lie side by side.
  StridedMatrix b;
  // Whether to ask for the columns of b that come next, where columns are short
  // (MachineModel::asks_ahead).
  bool asks_ahead = false;
  // Rows of the packed matrix, of which the first `depth` are used; 0: depth.
  int64_t packed_depth = 0;
  const float* bias = nullptr;  // of each column; null: zeros
  // A matrix like c, with columns side by side; null: zeros. May be c itself.
  StridedMatrix before;
  float* c = nullptr;
  int64_t c_stride = 0;
};

// Rows that should be computed by one call, so that they stay in the cache.
inline constexpr int64_t kGemmRowsAtATime = 132;

// The part of c that is rows [row_begin, row_end), at most kGemmRowsAtATime,
// and the columns of panels [panel_begin, panel_end). Takes up to 145 KiB of
// stack.
void RunGemm(const GemmProblem& problem, int64_t row_begin, int64_t row_end,
             int64_t panel_begin, int64_t panel_end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_GEMM_H_
