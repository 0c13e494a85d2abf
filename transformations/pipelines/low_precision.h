// The passes that let a backend compute quantized networks with integers of
// 8 bits.
#ifndef DOVETAIL_TRANSFORMATIONS_PIPELINES_LOW_PRECISION_H_
#define DOVETAIL_TRANSFORMATIONS_PIPELINES_LOW_PRECISION_H_

#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/transformations/low_precision/analysis/integer_flow.h"
#include "dovetail/transformations/pipelines/common.h"

namespace dovetail {

// Adds the common passes, those of transformations/low_precision, and what cleans
// up behind them; to be added in place of AddCommonPasses, where nothing has
// folded constants before. Looks at operations of f32 only, so whatever else is to
// become f32 has to be that already (convert_precision.h). What comes out, for
// backends to look for:
//
//   linear operations of integers, as in integer_linear.h;
//   FakeQuantize to 0 … 255 (or -128 … 127) behind which Convert makes u8 (i8);
//   between these two, operations that move integers about, such as MaxPool;
//   Multiply(Subtract(Convert(u8 | i8)))), where floats are needed;
//   FakeQuantize as it was, where there is no use for integers;
//   compressed weights of MatMul, as in compressed_weights.h, not folded.
void AddLowPrecisionPasses(PassManager& manager,
                           const LowPrecisionOptions& options = {},
                           const CommonPassesOptions& common = {});

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_PIPELINES_LOW_PRECISION_H_
