// Plans that reference kernels run, for tests of what is around plans.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_TESTING_REFERENCE_PLANS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_TESTING_REFERENCE_PLANS_H_

#include <memory>
#include <mutex>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/program/static_plan.h"

namespace dovetail {

class ReferencePlanCompiler : public PlanCompiler {
 public:
  // Waits for mutex().
  absl::StatusOr<std::shared_ptr<const StaticPlan>> Compile(
      std::shared_ptr<const Model> model, WorkTeam& team) override;
  absl::StatusOr<Tensor> Allocate(ElementType type,
                                  const Shape& shape) override;

  bool splits_by_shape() const override { return splits_by_shape_; }
  void set_splits_by_shape() { splits_by_shape_ = true; }

  std::mutex& mutex() { return mutex_; }
  // How many plans it has compiled, and how much memory it has been asked for;
  // while no program runs.
  int plans() const { return plans_; }
  int allocations() const { return allocations_; }

 private:
  std::mutex mutex_;
  bool splits_by_shape_ = false;
  int plans_ = 0;
  int allocations_ = 0;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_TESTING_REFERENCE_PLANS_H_
