// Says old versions of operations by newer ones.
#ifndef DOVETAIL_TRANSFORMATIONS_UPGRADE_UPGRADE_H_
#define DOVETAIL_TRANSFORMATIONS_UPGRADE_UPGRADE_H_

#include <utility>

#include "dovetail/core/pass/pass.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// All upgrades, each exact.
const NodeRules& Upgrades();

// Replaces each node of an old version that is not native. What the newest
// version cannot say stays.
class Upgrade : public Pass {
 public:
  explicit Upgrade(NodePredicate is_native = IsNone)
      : is_native_(std::move(is_native)) {}

  absl::string_view name() const override { return "upgrade"; }
  absl::StatusOr<bool> Run(Model& model) override {
    return Upgrades().Apply(model, is_native_);
  }

 private:
  NodePredicate is_native_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_UPGRADE_UPGRADE_H_
