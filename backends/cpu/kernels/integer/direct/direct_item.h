// A work item of a direct integer convolution.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_ITEM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_ITEM_H_

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/direct/direct_plan.h"

namespace dovetail::cpu {

// The outputs of a work item, and where what they read begins.
struct DirectItem {
  DirectItem(const DirectPlan& plan, int64_t number) {
    first_panel = number % plan.groups.count * plan.groups.panels;
    panels = std::min(plan.groups.panels, plan.panels() - first_panel);
    number /= plan.groups.count;
    x = number % plan.columns.tiles * plan.columns.outputs;
    width = std::min(plan.columns.outputs, plan.shape.columns.output - x);
    number /= plan.columns.tiles;
    y = number % plan.rows.tiles * plan.rows.outputs;
    height = std::min(plan.rows.outputs, plan.shape.rows.output - y);
    n = number / plan.rows.tiles;
    top = y * plan.shape.rows.stride - plan.shape.rows.pad;
    left = x * plan.shape.columns.stride - plan.shape.columns.pad;
  }
  int64_t n, y, x, height, width;
  int64_t first_panel, panels;
  int64_t top, left;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_DIRECT_ITEM_H_
