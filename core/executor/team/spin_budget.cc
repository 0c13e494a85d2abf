#include "dovetail/core/executor/team/spin_budget.h"

#include "dovetail/core/base/process_wide.h"
#include "dovetail/core/executor/cpus/cpu_info.h"

namespace dovetail {

SpinBudget& SpinBudget::OfProcess() {
  static SpinBudget& budget =
      ProcessWide<SpinBudget>("core/executor spin budget");
  return budget;
}

SpinBudget::SpinBudget() : SpinBudget(UsableCpus()) {}

void SpinBudget::Refresh() {
  cpus_.store(UsableCpus(), std::memory_order_relaxed);
}

}  // namespace dovetail
