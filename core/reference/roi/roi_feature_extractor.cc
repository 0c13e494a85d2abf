// ExperimentalDetectronROIFeatureExtractor. The level of a region is that of
// Lin et al., "Feature Pyramid Networks" (2017), equation 1.
#include "dovetail/core/ops/roi/roi_feature_extractor.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/roi/roi.h"
#include "dovetail/core/reference/roi/samples.h"

namespace dovetail {
namespace {

// The level for a region of that area: level 2 is for the side of the images
// on which backbones are trained, and each twice as large side goes one up.
// Negative when the region has no area.
int64_t LevelOf(float area, int64_t levels) {
  constexpr float kTrainedSide = 224, kTrainedLevel = 2;
  if (!(area > 0)) return -1;
  const float level =
      std::log2(std::sqrt(area) / kTrainedSide + 1e-6f) + kTrainedLevel;
  return ClampToInt(std::floor(level), 0, levels - 1);
}

AxisBins BinsBetween(const RoiFeatureExtractorAttributes& attributes,
                     float first, float last, int64_t scale, int64_t extent) {
  const float shift = attributes.aligned ? 0.5f : 0.0f;
  const float factor = 1 / static_cast<float>(scale);
  const float start = first * factor - shift;
  const float length = last * factor - shift - start;
  const float size =
      std::max(length, 1.0f) / static_cast<float>(attributes.output_size);
  return AxisBins(start, size, attributes.output_size,
                  attributes.sampling_ratio, extent);
}

// The features of one region: `out` is [C, output_size, output_size].
void Extract(const KernelContext& context, const float* roi, float* out,
             int64_t channels) {
  const auto& attributes = context.attributes<RoiFeatureExtractorAttributes>();
  const int64_t size = attributes.output_size * attributes.output_size;
  const int64_t level =
      LevelOf((roi[2] - roi[0]) * (roi[3] - roi[1]), context.input_count() - 1);
  if (level < 0) {
    std::fill_n(out, channels * size, 0.0f);
    return;
  }
  const Features features =
      FeaturesOf(context.input(static_cast<int>(level) + 1));
  const int64_t scale = attributes.pyramid_scales[level];
  const AxisBins columns =
      BinsBetween(attributes, roi[0], roi[2], scale, features.width);
  const AxisBins rows =
      BinsBetween(attributes, roi[1], roi[3], scale, features.height);
  for (int64_t c = 0; c < channels; ++c) {
    PoolSamples(features.Plane(0, c), features.width, rows, columns,
                RoiAlignMode::kAvg, out + c * size);
  }
}

}  // namespace

absl::Status RoiFeatureExtractorKernel(KernelContext& context) {
  const float* rois = context.input(0).data<float>();
  float* out = context.output(0).mutable_data<float>();
  const Shape& shape = context.output(0).shape();
  const int64_t size = shape.Count(1, 4);
  ParallelLoop(context, shape[0], size * 32, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Extract(context, rois + i * 4, out + i * size, shape[1]);
    }
  });
  return context.output(1).CopyFrom(context.input(0));
}

}  // namespace dovetail
