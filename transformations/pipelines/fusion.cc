#include "dovetail/transformations/pipelines/fusion.h"

#include <vector>

#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/arithmetic/rules.h"
#include "dovetail/transformations/fusion/attention/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/fusion/linear/rules.h"
#include "dovetail/transformations/fusion/normalization/rules.h"
#include "dovetail/transformations/simplify/common_subexpressions.h"
#include "dovetail/transformations/simplify/dead_code.h"

namespace dovetail {

void AddFusionPasses(PassManager& manager) {
  // A node's rules are tried in this order.
  manager.Add<FusionPass>(
      "fusion",
      std::vector<NodeRules::Family>{
          &ConstantOperandFusions, &ConvertFusions, &ClampFusions,
          &SwishFusions, &SoftPlusFusions, &HardActivationFusions,
          &GeluFusions, &NormalizeL2Fusions, &RmsNormFusions, &MvnFusions,
          &GroupNormFusions, &AttentionFusions, &BatchNormFusions,
          &ScaleFusions, &MatMulTransposeFusions, &PadFusions});
  manager.Add<CommonSubexpressions>();
  manager.Add<DeadCode>();
}

}  // namespace dovetail
