#include "dovetail/backends/cpu/steps/image/region_step.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "dovetail/backends/common/kernels/movement/transpose_tile.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Channels that are turned at a time, so that they stay in the L1 cache.
constexpr int64_t kChannelsAtATime = 64;

// What is worth waking a thread for, in elements of bins.
constexpr int64_t kElementsAtATime = 1 << 11;

// Inputs: features, channels last; regions; and what FindImagesFn reads.
class RegionStep : public Step {
 public:
  RegionStep(const Regions& regions, int threads, std::string what,
             FindImagesFn find_images, PoolRegionFn pool)
      : regions_(regions),
        what_(std::move(what)),
        find_images_(std::move(find_images)),
        pool_(std::move(pool)),
        channels_(ChannelsAtATime(regions, threads)) {}

  int64_t scratch_bytes() const {
    return regions_.count * static_cast<int64_t>(sizeof(int64_t));
  }

  absl::Status Run(const StepRun& run) const override {
    auto* const images = static_cast<int64_t*>(run.scratch);
    const absl::Status status = find_images_(run, regions_, images);
    if (!status.ok())
      return absl::Status(status.code(),
                          what_ + ": " + std::string(status.message()));
    const int64_t parts = CeilDivide(regions_.channels, channels_);
    const int64_t grain =
        std::max<int64_t>(1, kElementsAtATime / (channels_ * regions_.bins()));
    ParallelFor(run.environment->team(), regions_.count * parts, grain,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    RunPart(run, i / parts, images[i / parts],
                            i % parts * channels_);
                  }
                });
    return absl::OkStatus();
  }

 private:
  // All of a region, unless there are too few of them for all threads.
  static int64_t ChannelsAtATime(const Regions& regions, int threads) {
    constexpr int64_t kPartsOfThread = 4;
    const int64_t parts = CeilDivide(kPartsOfThread * threads, regions.count);
    return CeilDivide(CeilDivide(regions.channels, parts), kChannelsAtATime) *
           kChannelsAtATime;
  }

  void RunPart(const StepRun& run, int64_t region, int64_t image,
               int64_t first) const {
    const int64_t channels = std::min(channels_, regions_.channels - first);
    const int64_t size = regions_.bins();
    float* const out =
        run.output<float>() + (region * regions_.channels + first) * size;
    if (image < 0) {
      std::fill_n(out, channels * size, 0.0f);
      return;
    }
    static thread_local RegionWorkspace workspace;
    workspace.bins.resize(size * channels);
    host::RegionImage features;
    features.data =
        run.input<float>(0) + first +
        image * regions_.height * regions_.width * regions_.channels;
    features.width = regions_.width;
    features.stride = regions_.channels;
    features.channels = channels;
    pool_(regions_, run.input<float>(1) + region * regions_.roi_size, features,
          workspace);
    const host::TransposeTileFn turn = host::FindTransposeTile(sizeof(float));
    for (int64_t c = 0; c < channels; c += kChannelsAtATime) {
      turn(workspace.bins.data() + c, channels, out + c * size, size, size,
           std::min(kChannelsAtATime, channels - c));
    }
  }

  const Regions regions_;
  const std::string what_;
  const FindImagesFn find_images_;
  const PoolRegionFn pool_;
  const int64_t channels_;  // at a time
};

Regions RegionsOf(const Node& node) {
  const Shape features = PlanBuilder::ShapeOf(node.input(0));
  const Shape rois = PlanBuilder::ShapeOf(node.input(1));
  const Shape output = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  Regions regions;
  regions.batch = features[0];
  regions.channels = features[1];
  regions.height = features[2];
  regions.width = features[3];
  regions.count = rois[0];
  regions.roi_size = rois[1];
  regions.bins_down = output[2];
  regions.bins_across = output[3];
  return regions;
}

// Whether bins read at least about as much as there is to move.
bool IsWorthMoving(const Regions& regions) {
  constexpr int64_t kReadsOfBin = 4;
  return regions.count * regions.bins() * kReadsOfBin >=
         regions.batch * regions.height * regions.width;
}

}  // namespace

absl::StatusOr<bool> EmitRegions(const Node& node, absl::string_view kernel,
                                 FindImagesFn find_images, PoolRegionFn pool,
                                 PlanBuilder& builder) {
  const Value features = node.input(0), rois = node.input(1);
  if (features.type() != ElementType::kF32 ||
      rois.type() != ElementType::kF32) {
    return false;
  }
  const Regions regions = RegionsOf(node);
  const Format format = {ElementType::kF32, Layout::kChannelsLast};
  if (builder.FormatOf(features).layout == Layout::kPlanar &&
      !IsWorthMoving(regions)) {
    return false;
  }
  std::vector<Operand> inputs(node.input_count());
  DOVETAIL_ASSIGN_OR_RETURN(inputs[0], builder.Read(features, format));
  for (int i = 1; i < node.input_count(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(inputs[i], builder.ReadPlain(node.input(i)));
  }
  auto step = std::make_unique<RegionStep>(
      regions, std::max(1, builder.settings().threads), node.Describe(),
      std::move(find_images), std::move(pool));
  const Operand scratch = builder.Scratch(step->scratch_bytes());
  builder.Add(node, kernel, std::move(step), inputs,
              {builder.WritePlain(PlanBuilder::OutputOf(node))}, scratch);
  return true;
}

}  // namespace dovetail::cpu
