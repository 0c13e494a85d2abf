#include "dovetail/transformations/common/output_names.h"

#include <algorithm>

namespace dovetail {
namespace {

bool FeedsResult(Value value) {
  const auto& uses = value.port().uses;
  return std::any_of(uses.begin(), uses.end(),
                     [](const Use& use) { return use.node->Is("Result"); });
}

}  // namespace

bool KeepsOutputNames(Value from, Value to) {
  if (!FeedsResult(from)) return true;
  return !to.node->Is("Parameter") && to.port().names.empty() &&
         !FeedsResult(to);
}

}  // namespace dovetail
