// What steps have in common that make bins of regions.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_REGION_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_REGION_STEP_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/kernels/image/region_pool.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"

namespace dovetail::cpu {

// Features [batch, channels, height, width], regions [count, roi_size].
struct Regions {
  int64_t batch = 1, channels = 1, height = 1, width = 1;
  int64_t count = 1, roi_size = 1;
  int64_t bins_down = 1, bins_across = 1;

  int64_t bins() const { return bins_down * bins_across; }
};

// What a thread works in, from one region to the next.
struct RegionWorkspace {
  host::BinTaps rows, columns;
  std::vector<float> bins;  // {bins down, across, channels of the image}
};

// Writes the image of each region; -1: there is no such region, its bins are 0.
using FindImagesFn = std::function<absl::Status(
    const StepRun& run, const Regions& regions, int64_t* images)>;
// Makes the bins of one region, whose numbers are `roi`.
using PoolRegionFn = std::function<void(
    const Regions& regions, const float* roi, const host::RegionImage& image,
    RegionWorkspace& workspace)>;

// Adds a step for a node whose inputs are features, regions and what else
// `find_images` reads. False: it is not for f32, or not worth it.
absl::StatusOr<bool> EmitRegions(const Node& node, absl::string_view kernel,
                                 FindImagesFn find_images, PoolRegionFn pool,
                                 PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_REGION_STEP_H_
