#include "dovetail/backends/cpu/steps/image/roi.h"

#include <memory>
#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/image/region_pool.h"
#include "dovetail/backends/common/kernels/indexing/gather.h"
#include "dovetail/backends/cpu/steps/common/index_type.h"
#include "dovetail/backends/cpu/steps/image/region_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/roi/roi_align.h"
#include "dovetail/core/ops/roi/roi_pooling.h"
#include "dovetail/core/reference/roi/pooling_bins.h"
#include "dovetail/core/reference/roi/samples.h"

namespace dovetail::cpu {
namespace {

using host::BinTaps;

// ---- ROIAlign ----

void AddPoints(const AxisBins& bins, bool apart, BinTaps& taps) {
  taps.Clear();
  const auto add = apart ? &BinTaps::AddApart : &BinTaps::Add;
  for (int64_t bin = 0; bin < bins.bins(); ++bin) {
    for (const AxisPoint& point : bins.points(bin)) {
      (taps.*add)(point.low, point.low_weight);
      (taps.*add)(point.high, point.high_weight);
    }
    taps.EndBin();
  }
}

void Align(const RoiAlignAttributes& attributes, const Regions& regions,
           const float* roi, const host::RegionImage& image,
           RegionWorkspace& workspace) {
  const AxisBins columns = RoiAlignBins(attributes, roi[0], roi[2],
                                        regions.bins_across, regions.width);
  const AxisBins rows = RoiAlignBins(attributes, roi[1], roi[3],
                                     regions.bins_down, regions.height);
  const bool is_mean = attributes.base.mode == RoiAlignMode::kAvg;
  AddPoints(columns, !is_mean, workspace.columns);
  AddPoints(rows, !is_mean, workspace.rows);
  float* const bins = workspace.bins.data();
  if (is_mean) {
    const float count = rows.count() * columns.count();
    host::PoolSums(image, workspace.rows, workspace.columns,
                   count > 0 ? 1 / count : 0, bins);
  } else {
    host::PoolLargestPoint(image, workspace.rows, workspace.columns, bins);
  }
}

// ---- ROIPooling ----

void AddBins(const std::vector<PoolingBin>& bins, BinTaps& taps) {
  taps.Clear();
  for (const PoolingBin& bin : bins) {
    for (int64_t i = bin.begin; i < bin.end; ++i) taps.AddApart(i, 1);
    taps.EndBin();
  }
}

void PoolMax(const RoiPoolingAttributes& attributes, const Regions& regions,
             const float* roi, const host::RegionImage& image,
             RegionWorkspace& workspace) {
  const auto scale = static_cast<float>(attributes.spatial_scale);
  AddBins(MaxBins(roi[1], roi[3], scale, regions.bins_across, regions.width),
          workspace.columns);
  AddBins(MaxBins(roi[2], roi[4], scale, regions.bins_down, regions.height),
          workspace.rows);
  host::PoolLargest(image, workspace.rows, workspace.columns,
                    workspace.bins.data());
}

// Points outside of the features have no taps.
void AddPoints(const std::vector<float>& points, int64_t extent,
               BinTaps& taps) {
  taps.Clear();
  for (const float position : points) {
    if (IsBetweenElements(position, extent)) {
      const AxisPoint point = PointAt(position, extent);
      taps.AddApart(point.low, point.low_weight);
      taps.AddApart(point.high, point.high_weight);
    }
    taps.EndBin();
  }
}

void PoolBilinear(const Regions& regions, const float* roi,
                  const host::RegionImage& image, RegionWorkspace& workspace) {
  AddPoints(PointsAcross(roi[1], roi[3], regions.bins_across, regions.width),
            regions.width, workspace.columns);
  AddPoints(PointsAcross(roi[2], roi[4], regions.bins_down, regions.height),
            regions.height, workspace.rows);
  host::PoolSums(image, workspace.rows, workspace.columns, 1,
                 workspace.bins.data());
}

// The image of each region of the list, up to the first of none.
absl::Status ImagesOfRois(const float* rois, const Regions& regions,
                          int64_t* images) {
  for (int64_t i = 0; i < regions.count; ++i) images[i] = -1;
  for (int64_t i = 0; i < regions.count; ++i) {
    const float index = rois[i * regions.roi_size];
    if (index == -1) break;
    if (!(index >= 0 && index < static_cast<float>(regions.batch))) {
      return InvalidArgument("region ", i, " is of image ", index,
                             ", want an index below ", regions.batch,
                             ", or -1 after the last region");
    }
    images[i] = static_cast<int64_t>(index);
  }
  return absl::OkStatus();
}

absl::Status ImagesOfIndices(const host::Indices& indices,
                             const Regions& regions, int64_t* images) {
  for (int64_t i = 0; i < regions.count; ++i) {
    images[i] = indices[i];
    if (images[i] < 0 || images[i] >= regions.batch) {
      return InvalidArgument("input 2 says that region ", i, " is of image ",
                             images[i], ", want 0 to ", regions.batch - 1);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitRoiAlign(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.input(2).type();
  if (!IsIndex(type)) return false;
  const RoiAlignAttributes attributes = RoiAlignAttributesOf(node);
  return EmitRegions(
      node, "roi_align",
      [is_i64 = type == ElementType::kI64](
          const StepRun& run, const Regions& regions, int64_t* images) {
        return ImagesOfIndices({run.inputs[2], is_i64}, regions, images);
      },
      [attributes](const Regions& regions, const float* roi,
                   const host::RegionImage& image, RegionWorkspace& workspace) {
        Align(attributes, regions, roi, image, workspace);
      },
      builder);
}

absl::StatusOr<bool> EmitRoiPooling(const Node& node, PlanBuilder& builder) {
  const auto* attributes = node.As<RoiPoolingAttributes>();
  if (attributes == nullptr) return false;
  PoolRegionFn pool = &PoolBilinear;
  if (attributes->method == RoiPoolingMethod::kMax) {
    pool = [copy = *attributes](const Regions& regions, const float* roi,
                                const host::RegionImage& image,
                                RegionWorkspace& workspace) {
      PoolMax(copy, regions, roi, image, workspace);
    };
  }
  return EmitRegions(
      node, "roi_pooling",
      [](const StepRun& run, const Regions& regions, int64_t* images) {
        return ImagesOfRois(run.input<float>(1), regions, images);
      },
      std::move(pool), builder);
}

}  // namespace dovetail::cpu
