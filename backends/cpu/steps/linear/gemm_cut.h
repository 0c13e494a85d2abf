// How the products of a GemmStep are cut into tasks.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_CUT_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_CUT_H_

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/steps/linear/gemm_options.h"

namespace dovetail::cpu {

// Rows by panels, in parts as equal as can be.
struct GemmCut {
  // The first row of part `i`, or where the last part ends.
  int64_t RowBegin(int64_t i) const {
    return std::min(rows, i * tiles / row_parts * tile_rows);
  }

  int64_t rows = 0;
  // Rows that the kernel computes together, and how many times it does.
  int64_t tile_rows = 1, tiles = 0;
  int64_t row_parts = 1, panel_parts = 1;
};

GemmCut GemmCutOf(const GemmStepOptions& options);

// Columns of a panel of the second factor.
int64_t GemmWidthOf(const GemmStepOptions& options);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_CUT_H_
