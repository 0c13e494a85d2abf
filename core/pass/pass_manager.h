// A pipeline of passes, which is a pass itself.
#ifndef DOVETAIL_CORE_PASS_PASS_MANAGER_H_
#define DOVETAIL_CORE_PASS_PASS_MANAGER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/core/pass/pass.h"

namespace dovetail {

// Runs its passes in order. An error is preceded by the pass's name. With
// checks on, as in tests of passes, the model is verified after every pass and its
// hash has to change exactly when the pass says so: kInternal names the guilty
// pass.
class PassManager : public Pass {
 public:
  explicit PassManager(absl::string_view name) : name_(name) {}

  void Add(std::unique_ptr<Pass> pass) {
    pass->set_observer(observer_);
    passes_.push_back(std::move(pass));
  }
  // Makes a P of these arguments and adds it.
  template <typename P, typename... Args>
  PassManager& Add(Args&&... args) {
    Add(std::make_unique<P>(std::forward<Args>(args)...));
    return *this;
  }

  absl::string_view name() const override { return name_; }
  absl::StatusOr<bool> Run(Model& model) override;

  void set_checks(bool on) { checks_ = on; }
  void set_observer(PassObserver* observer) override;

 private:
  // Each check reads all weights, which a user's model would be loaded ten
  // times slower for; what tests passes turns them on.
#ifdef DOVETAIL_CHECK_PASSES
  static constexpr bool kChecksByDefault = true;
#else
  static constexpr bool kChecksByDefault = false;
#endif

  std::string name_;
  std::vector<std::unique_ptr<Pass>> passes_;
  bool checks_ = kChecksByDefault;
  PassObserver* observer_ = nullptr;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PASS_PASS_MANAGER_H_
