#include "dovetail/transformations/pipelines/low_precision.h"

#include "dovetail/transformations/low_precision/align_quantization.h"
#include "dovetail/transformations/low_precision/integer_linear.h"
#include "dovetail/transformations/low_precision/move_dequantization.h"
#include "dovetail/transformations/low_precision/move_quantization.h"
#include "dovetail/transformations/low_precision/quantize_activations.h"
#include "dovetail/transformations/low_precision/quantize_before_concat.h"
#include "dovetail/transformations/low_precision/weights/keep_weights.h"
#include "dovetail/transformations/low_precision/weights/quantize_weights.h"
#include "dovetail/transformations/low_precision/weights/release_weights.h"
#include "dovetail/transformations/simplify/common_subexpressions.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/simplify/dead_code.h"

namespace dovetail {

void AddLowPrecisionPasses(PassManager& manager,
                           const LowPrecisionOptions& options,
                           const CommonPassesOptions& common) {
  manager.Add<KeepWeights>();
  AddCommonPasses(manager, common);
  manager.Add<QuantizeWeights>(options);
  manager.Add<MoveQuantization>(options);
  manager.Add<AlignQuantization>(options);
  manager.Add<QuantizeActivations>(options);
  manager.Add<QuantizeBeforeConcat>();
  manager.Add<MoveDequantization>(options);
  manager.Add<IntegerLinear>(options);
  manager.Add<ReleaseWeights>();
  // What is left to simplify: weights of floats, sums of biases, dead nodes,
  // and conversions of integers that several operations read.
  manager.Add<ConstantFolding>(common.folding);
  manager.Add<CommonSubexpressions>();
  manager.Add<DeadCode>();
}

}  // namespace dovetail
