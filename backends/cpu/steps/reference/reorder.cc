#include <algorithm>
#include <memory>
#include <utility>

#include "dovetail/backends/common/steps/copy_step.h"
#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/movement/block_bytes.h"
#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "dovetail/backends/cpu/onednn/primitive_step.h"
#include "dovetail/backends/cpu/steps/movement/copy_step.h"
#include "dovetail/backends/cpu/steps/reference/reference_step.h"
#include "dovetail/backends/cpu/steps/reference/turned_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Elements of a channel that are worth a task of their own.
constexpr int64_t kElementsAtATime = 1 << 12;

// Bytes from row-major order, or channels last, to blocks of 8 channels.
class BlockBytesStep : public Step {
 public:
  BlockBytesStep(const Shape& shape, Layout from)
      : is_planar_(from == Layout::kPlanar),
        channels_(shape[1]),
        area_(shape.Count(2, shape.rank())),
        blocks_(ChannelBlocks(channels_)),
        parts_((area_ + kElementsAtATime - 1) / kElementsAtATime),
        count_(shape[0] * blocks_ * parts_) {}

  absl::Status Run(const StepRun& run) const override {
    ParallelFor(run.environment->team(), count_, 1,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    RunPart(run.input<uint8_t>(0), i, run.output<uint8_t>());
                  }
                });
    return absl::OkStatus();
  }

 private:
  void RunPart(const uint8_t* from, int64_t part, uint8_t* to) const {
    const int64_t first = part % parts_ * kElementsAtATime;
    const int64_t plane = part / parts_;
    const int64_t channel = plane % blocks_ * kChannelBlock;
    const int64_t channels = std::min(kChannelBlock, channels_ - channel);
    const int64_t count = std::min(kElementsAtATime, area_ - first);
    const int64_t image = plane / blocks_ * channels_ * area_;
    to += (plane * area_ + first) * kChannelBlock;
    if (is_planar_) {
      BlockBytes(from + image + channel * area_ + first, area_, channels, count,
                 to);
    } else {
      BlockBytesOfPixels(from + image + first * channels_ + channel, channels_,
                         channels, count, to);
    }
  }

  const bool is_planar_;

  const int64_t channels_, area_, blocks_, parts_, count_;
};

// Where the elements of a tensor lie, by batch, channel and pixel.
StridedView ViewOf(const Shape& shape, Layout layout) {
  const int64_t channels = shape[1], area = shape.Count(2, shape.rank());
  StridedView view;
  view.shape = {shape[0], channels, area};
  if (layout == Layout::kPlanar) {
    view.strides = {channels * area, area, 1};
  } else {
    view.strides = {channels * area, 1, channels};
  }
  return view;
}

// Types that oneDNN does not have.
class ConvertStep : public Step {
 public:
  ConvertStep(Shape shape, ElementType from, ElementType to)
      : shape_(std::move(shape)), from_(from), to_(to) {}

  absl::Status Run(const StepRun& run) const override {
    const auto borrow = [&](ElementType type, void* data) {
      return Tensor::Borrow(type, shape_, data,
                            StoredBytes(shape_, {type, Layout::kPlanar}));
    };
    DOVETAIL_ASSIGN_OR_RETURN(Tensor source, borrow(from_, run.inputs[0]));
    DOVETAIL_ASSIGN_OR_RETURN(const Tensor target, borrow(to_, run.outputs[0]));
    DOVETAIL_ASSIGN_OR_RETURN(source, ConvertTensor(source, to_));
    return target.CopyFrom(source);
  }

 private:
  const Shape shape_;
  const ElementType from_, to_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Step>> MakeReorder(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings) {
  const bool same = SameOrder(shape, from.layout, to.layout);
  if (same && from.type == to.type) {
    return std::make_unique<CopyStep>(StoredBytes(shape, from));
  }
  // oneDNN has only plain loops for it.
  if (BitWidth(from.type) == 8 && from.type == to.type &&
      (from.layout == Layout::kPlanar ||
       from.layout == Layout::kChannelsLast) &&
      to.layout == Layout::kBlocked8) {
    return std::make_unique<BlockBytesStep>(shape, from.layout);
  }
  const bool is_turned = IsTurned(from.layout, to.layout);
  if (is_turned) {
    // oneDNN converts an element a nanosecond here.
    if (auto step = MakeTurnedStep(shape, from, to)) return step;
  }
  if (is_turned && from.type == to.type && BitWidth(from.type) % 8 == 0) {
    return MakeCopyStep(from.type, {ViewCopy{ViewOf(shape, from.layout),
                                             ViewOf(shape, to.layout)}});
  }
  if (from.layout != to.layout ||
      (OneDnnType(from.type) && OneDnnType(to.type))) {
    return MakeOneDnnReorder(shape, from, to, settings);
  }
  return std::make_unique<ConvertStep>(shape, from.type, to.type);
}

}  // namespace dovetail::cpu
