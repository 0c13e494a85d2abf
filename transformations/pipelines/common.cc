#include "dovetail/transformations/pipelines/common.h"

#include <memory>
#include <utility>

#include "dovetail/core/pass/fixpoint.h"
#include "dovetail/transformations/simplify/common_subexpressions.h"
#include "dovetail/transformations/simplify/dead_code.h"
#include "dovetail/transformations/simplify/nop_elimination.h"

namespace dovetail {

void AddCommonPasses(PassManager& manager,
                     const CommonPassesOptions& options) {
  auto simplify = std::make_unique<PassManager>("simplify");
  simplify->Add<DeadCode>();
  simplify->Add<NopElimination>();
  simplify->Add<ConstantFolding>(options.folding);
  simplify->Add<CommonSubexpressions>();
  simplify->Add<DeadCode>();
  manager.Add<Fixpoint>(std::move(simplify));
}

void AddCommonPassesOnce(PassManager& manager) {
  manager.Add<ConstantFolding>();
  manager.Add<NopElimination>();
  manager.Add<CommonSubexpressions>();
  manager.Add<DeadCode>();
}

}  // namespace dovetail
