#include "dovetail/transformations/upgrade/upgrade.h"

#include <vector>

#include "absl/types/span.h"
#include "dovetail/transformations/upgrade/rules/rules.h"

namespace dovetail {
namespace {

// One line a family.
using Family = absl::Span<const NodeRule> (*)();
constexpr Family kFamilies[] = {
    &SameInputsUpgrades,   &IndexingUpgrades,     &MovedInputsUpgrades,
    &RecurrentUpgrades,    &DeclaredTypeUpgrades,
};

std::vector<NodeRule> AllRules() {
  std::vector<NodeRule> rules;
  for (Family family : kFamilies) {
    for (const NodeRule& rule : family()) rules.push_back(rule);
  }
  return rules;
}

}  // namespace

const NodeRules& Upgrades() {
  static const auto* rules = new NodeRules(AllRules());
  return *rules;
}

}  // namespace dovetail
