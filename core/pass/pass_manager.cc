#include "dovetail/core/pass/pass_manager.h"

#include <cstdint>

#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// What a pass has to leave behind; `hash` becomes that of the changed model.
absl::Status Check(const Model& model, bool changed, uint64_t& hash) {
  DOVETAIL_RETURN_IF_ERROR(model.Verify());
  const uint64_t before = hash;
  hash = model.Hash();
  if (changed == (hash != before)) return absl::OkStatus();
  return changed ? Internal("says that it changed the model, but did not")
                 : Internal("changed the model, but says that it did not");
}

}  // namespace

absl::StatusOr<bool> PassManager::Run(Model& model) {
  bool any_changed = false;
  uint64_t hash = checks_ ? model.Hash() : 0;
  for (const auto& pass : passes_) {
    if (observer_ != nullptr) observer_->Before(*pass, model);
    absl::StatusOr<bool> changed = pass->Run(model);
    absl::Status status = changed.status();
    if (status.ok() && checks_) status = Check(model, *changed, hash);
    if (!status.ok()) {
      return Annotate(status, absl::StrCat("pass ", pass->name()));
    }
    if (observer_ != nullptr) observer_->After(*pass, model, *changed);
    any_changed |= *changed;
  }
  return any_changed;
}

void PassManager::set_observer(PassObserver* observer) {
  observer_ = observer;
  for (const auto& pass : passes_) pass->set_observer(observer);
}

}  // namespace dovetail
