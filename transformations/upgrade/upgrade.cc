#include "dovetail/transformations/upgrade/upgrade.h"

#include "absl/types/span.h"
#include "dovetail/transformations/upgrade/rules/rules.h"

namespace dovetail {
namespace {

// One line a family.
constexpr NodeRules::Family kFamilies[] = {
    &SameInputsUpgrades,   &IndexingUpgrades,     &MovedInputsUpgrades,
    &RecurrentUpgrades,    &DeclaredTypeUpgrades,
};

}  // namespace

const NodeRules& Upgrades() {
  static const auto* rules = new NodeRules(kFamilies);
  return *rules;
}

}  // namespace dovetail
