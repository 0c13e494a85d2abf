// How the products of a GemmStep are cut into tasks.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_CUT_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_CUT_H_

#include <cstdint>

#include "dovetail/backends/cpu/steps/linear/gemm_options.h"

namespace dovetail::cpu {

// Rows by panels.
struct GemmCut {
  int64_t rows_each = 0, row_parts = 0;
  int64_t panel_parts = 0;  // as equal as can be
};

GemmCut GemmCutOf(const GemmStepOptions& options);

// Columns of a panel of the second factor.
int64_t GemmWidthOf(const GemmStepOptions& options);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_CUT_H_
