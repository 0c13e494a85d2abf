// Keys in panels: those of a work item's vectors side by side.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_KEY_PANELS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_KEY_PANELS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/linear/attention_layout.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

struct KeyPanels {
  // [matrix, panel, depth, keys of a panel], zeros past the last key.
  Operand operand;
  // Where each product's matrix begins, in elements.
  std::vector<int64_t> offsets;
};

// Adds a launch for `node`, an attention, that makes panels of `width` keys.
absl::StatusOr<KeyPanels> PackKeys(const Node& node,
                                   const AttentionLayout& layout, int width,
                                   PlanBuilder& builder);

// Elements of the panels.
int64_t KeyPanelElements(const AttentionLayout& layout, int width);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ATTENTION_KEY_PANELS_H_
