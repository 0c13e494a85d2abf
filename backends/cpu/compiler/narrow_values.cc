#include "dovetail/backends/cpu/compiler/narrow_values.h"

#include <algorithm>
#include <vector>

#include "dovetail/transformations/common/precise.h"

namespace dovetail::cpu {

NarrowValues::NarrowValues(absl::Span<Node* const> order, const Rules& rules) {
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Node& node = **it;
    if (IsPrecise(node)) continue;
    if (node.op().Has(kStructural) && !node.Is("Parameter")) continue;
    for (int i = 0; i < node.output_count(); ++i) {
      const std::vector<Use>& uses = node.port(i).uses;
      const bool narrow =
          node.port(i).type == ElementType::kF32 && !uses.empty() &&
          std::all_of(uses.begin(), uses.end(),
                      [&](const Use& use) { return TakesNarrow(use, rules); });
      if (narrow) values_.insert({&node, i});
    }
  }
}

bool NarrowValues::TakesNarrow(const Use& use, const Rules& rules) const {
  const Node& reader = *use.node;
  if (IsPrecise(reader)) return false;
  if (rules.rounds(use)) return true;
  if (!rules.passes_on(use)) return false;
  for (int i = 0; i < reader.output_count(); ++i) {
    if (reader.port(i).uses.empty()) continue;
    if (values_.count({&reader, i}) == 0) return false;
  }
  return true;
}

}  // namespace dovetail::cpu
