// STFT, ISTFT.
#include <optional>
#include <utility>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/signal/signal.h"

namespace dovetail {
namespace {

// Frame size and step: inputs 2 and 3, where they are known.
struct Frames {
  std::optional<int64_t> size, step;
};

absl::StatusOr<Frames> CheckFrames(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  for (int i = 2; i < context.input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, i));
  }
  const Frames frames = {context.scalar_int(2), context.scalar_int(3)};
  if (frames.size.has_value() && *frames.size < 1) {
    return context.Error("frame_size ", *frames.size, " is not positive");
  }
  if (frames.step.has_value() && *frames.step < 1) {
    return context.Error("frame_step ", *frames.step, " is not positive");
  }
  const PartialShape& window = context.shape(1);
  if (window.rank_known() && window[0].max() < 1) {
    return context.Error("input 1, the window, has no elements");
  }
  if (frames.size.has_value() && window.rank_known() &&
      window[0].min() > *frames.size) {
    return context.Error("a window of ", window[0].ToString(),
                         " is longer than a frame of ", *frames.size);
  }
  return frames;
}

Dimension Frequencies(const Frames& frames) {
  return frames.size.has_value() ? Dimension(*frames.size / 2 + 1)
                                 : Dimension::Unknown();
}

// How many frames fit a signal.
absl::StatusOr<Dimension> FrameCount(const InferContext& context,
                                     const Frames& frames,
                                     const Dimension& length) {
  if (!frames.size.has_value() || !frames.step.has_value()) {
    return Dimension::Unknown();
  }
  if (length.max() < *frames.size) {
    return context.Error("a frame of ", *frames.size,
                         " is longer than the signal, ", length.ToString());
  }
  return FloorDivide(length - Dimension(*frames.size), *frames.step) +
         Dimension(1);
}

// The length of what overlapping frames cover, less what `center` cuts off.
Dimension CoveredLength(const Frames& frames, const Dimension& count,
                        bool center) {
  if (!frames.size.has_value() || !frames.step.has_value()) {
    return Dimension::Unknown();
  }
  const Dimension whole =
      (count - Dimension(1)) * Dimension(*frames.step) +
      Dimension(*frames.size);
  return center ? whole - Dimension(*frames.size / 2 * 2) : whole;
}

}  // namespace

absl::Status InferStft(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Frames frames, CheckFrames(context));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 0, 1, 2));
  const PartialShape& signal = context.shape(0);
  PartialShape shape;
  if (signal.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension count,
        FrameCount(context, frames, signal[signal.rank() - 1]));
    Dimension first = count, second = Frequencies(frames);
    if (context.attributes<StftAttributes>().transpose_frames) {
      std::swap(first, second);
    }
    shape = PartialShape({first, second, 2});
    if (signal.rank() == 2) shape = {signal[0], first, second, 2};
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferIstft(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const Frames frames, CheckFrames(context));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 0, 3, 4));
  const PartialShape& data = context.shape(0);
  PartialShape shape;
  if (data.rank_known()) {
    const int rank = data.rank();
    if (!data[rank - 1].Contains(2) ||
        !data[rank - 3].Compatible(Frequencies(frames))) {
      return context.Error("input 0 has shape ", data.ToString(), ", want ",
                           Frequencies(frames).ToString(),
                           " frequencies, frames, 2");
    }
    Dimension length =
        CoveredLength(frames, data[rank - 2],
                      context.attributes<IstftAttributes>().center);
    if (context.has_input(4)) {
      const std::optional<int64_t> wanted = context.scalar_int(4);
      if (!wanted.has_value()) length = Dimension::Unknown();
      else if (*wanted > 0) length = Dimension(*wanted);
    }
    shape = rank == 4 ? PartialShape({data[0], length})
                      : PartialShape({length});
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
