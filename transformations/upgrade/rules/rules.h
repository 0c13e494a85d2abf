// Upgrades: old versions of operations said by the newest.
#ifndef DOVETAIL_TRANSFORMATIONS_UPGRADE_RULES_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_UPGRADE_RULES_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// What has more attributes, another name or more outputs today.
absl::Span<const NodeRule> SameInputsUpgrades();
// What has its inputs elsewhere, or as attributes.
absl::Span<const NodeRule> IndexingUpgrades();
absl::Span<const NodeRule> MovedInputsUpgrades();
absl::Span<const NodeRule> RecurrentUpgrades();
absl::Span<const NodeRule> DeclaredTypeUpgrades();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_UPGRADE_RULES_RULES_H_
