// Repeats a pass until it changes nothing more.
#ifndef DOVETAIL_CORE_PASS_FIXPOINT_H_
#define DOVETAIL_CORE_PASS_FIXPOINT_H_

#include <memory>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Stops after `max_runs` runs all the same: the model is then as right as
// before, perhaps not as simple as it could be.
class Fixpoint : public Pass {
 public:
  explicit Fixpoint(std::unique_ptr<Pass> pass, int max_runs = 16)
      : pass_(std::move(pass)), max_runs_(max_runs) {}

  absl::string_view name() const override { return pass_->name(); }

  absl::StatusOr<bool> Run(Model& model) override {
    bool any_changed = false;
    for (int i = 0; i < max_runs_; ++i) {
      DOVETAIL_ASSIGN_OR_RETURN(const bool changed, pass_->Run(model));
      if (!changed) break;
      any_changed = true;
    }
    return any_changed;
  }

  void set_observer(PassObserver* observer) override {
    pass_->set_observer(observer);
  }

 private:
  std::unique_ptr<Pass> pass_;
  int max_runs_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PASS_FIXPOINT_H_
