// STFT and ISTFT as transforms of frames of the signal.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/core/ops/signal/signal.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/signal/rules.h"

namespace dovetail {
namespace {

struct Frames {
  int64_t size, step;
};

// Longer frames, or steps, stay: their transforms have no matrix either.
constexpr int64_t kMaxFrame = int64_t{1} << 20;

std::optional<Frames> FramesOf(NodeBuilder& b) {
  const auto size = KnownInt(b.input(2)), step = KnownInt(b.input(3));
  if (!size.has_value() || !step.has_value() || *size < 1 || *step < 1 ||
      *size > kMaxFrame || *step > kMaxFrame) {
    return std::nullopt;
  }
  return Frames{*size, *step};
}

// Zeros before and after x along its last axis, as vectors of one.
Value PadLast(NodeBuilder& b, Value x, int rank, Value before, Value after) {
  const Value none = b.Ints(std::vector<int64_t>(rank - 1, 0));
  const auto pads = [&](Value last) {
    return rank > 1 ? b.Concat({none, last}) : last;
  };
  return b.Make("Pad", {x, pads(before), pads(after), b.Number(x.type(), 0)},
                {{"pad_mode", std::string("constant")}});
}

// The window in the middle of a frame, zeros around it: [size].
Value FrameWindow(NodeBuilder& b, int64_t size) {
  const Value window = b.input(1);
  const Value missing = b.Subtract(b.Ints({size}), b.Dim(window, 0));
  const Value before = b.Divide(missing, 2.0);
  return PadLast(b, window, 1, before, b.Subtract(missing, before));
}

// Where the elements of all frames are in the signal: [frames, size].
Value FrameElements(NodeBuilder& b, Value covered, const Frames& frames) {
  const Value end = b.Subtract(covered, static_cast<double>(frames.size - 1));
  const Value first = b.Unsqueeze(b.Counting(end, frames.step), {1});
  return b.Add(first, b.Counting(b.Ints({frames.size})));
}

Replacement Stft(NodeBuilder& b, const Node& node) {
  const auto frames = FramesOf(b);
  const Value signal = b.input(0);
  if (!frames.has_value() || !signal.shape().rank_known()) return {};
  const int rank = signal.shape().rank();
  const Value elements =
      FrameElements(b, b.Dim(signal, rank - 1), *frames);
  const Value cut = b.Multiply(b.Gather(signal, elements, rank - 1),
                               FrameWindow(b, frames->size));
  Value y = b.Make("RDFT", {cut, b.Ints({rank})});
  if (node.As<StftAttributes>()->transpose_frames) {
    y = rank == 1 ? b.Transpose(y, {1, 0, 2}) : b.Transpose(y, {0, 2, 1, 3});
  }
  return {y};
}

// Adds frames [batch, frames, size] up to signals [batch, covered].
Value OverlapAdd(NodeBuilder& b, Value frames, Value elements, Value covered) {
  const Value batch = b.Dim(frames, 0);
  const Value zeros =
      b.Broadcast(b.Number(frames.type(), 0), b.Concat({batch, covered}));
  const Value flat = b.Concat({batch, b.Product(b.ShapeOf(elements))});
  const Value indices =
      b.Broadcast(b.ReshapeTo(elements, {1, -1}), flat);
  return b.Make("ScatterElementsUpdate",
                {zeros, indices, b.Reshape(frames, flat), b.Int(1)},
                {{"reduction", std::string("sum")}, {"use_init_val", true}});
}

// Signals [batch, covered] without the margin at the beginning, up to `length`,
// a vector of one: cut or with zeros behind.
Value CutMargin(NodeBuilder& b, Value signals, int64_t margin, Value covered,
                Value length) {
  const Value first = b.Ints({margin});
  const Value last = b.Minimum(covered, b.Add(first, length));
  const Value cut = b.Slice(signals, 1, first, last);
  const Value missing = b.Subtract(b.Add(first, length), last);
  return PadLast(b, cut, 2, b.Ints({0}), missing);
}

// The signal's length: that asked for or all that is covered but the margins.
Value LengthOf(NodeBuilder& b, Value covered, int64_t margin) {
  if (b.input(4)) {
    const auto asked = KnownInt(b.input(4));
    if (!asked.has_value()) return {};
    if (*asked > 0) return b.Ints({*asked});
  }
  return b.Subtract(covered, static_cast<double>(2 * margin));
}

// Frames weighted by the window once more and added up, divided by the sum of
// the squared weights; 0 where there are none.
Value WeightedMean(NodeBuilder& b, Value frames, Value elements, Value covered,
                   Value window, double scale) {
  const Value sums =
      OverlapAdd(b, b.Multiply(frames, window), elements, covered);
  const Value squares =
      b.Unsqueeze(b.Broadcast(b.Multiply(window, window),
                              b.ShapeOf(elements)), {0});
  const Value weights = OverlapAdd(b, squares, elements, covered);
  return b.Select(b.Binary("Equal", weights, 0.0), 0.0,
                  b.Divide(b.Multiply(sums, scale), weights));
}

Replacement Istft(NodeBuilder& b, const Node& node) {
  const auto frames = FramesOf(b);
  Value x = b.input(0);
  if (!frames.has_value() || !x.shape().rank_known()) return {};
  const bool has_batch = x.shape().rank() == 4;
  const auto& attributes = *node.As<IstftAttributes>();
  const int64_t margin = attributes.center ? frames->size / 2 : 0;
  if (!has_batch) x = b.Unsqueeze(x, {0});
  x = b.Transpose(x, {0, 2, 1, 3});
  const Value covered = b.Add(
      b.Multiply(b.Subtract(b.Dim(x, 1), 1.0),
                 static_cast<double>(frames->step)),
      static_cast<double>(frames->size));
  const Value length = LengthOf(b, covered, margin);
  if (!length) return {};
  const Value cut =
      b.Make("IRDFT", {x, b.Ints({2}), b.Ints({frames->size})});
  const double scale =
      attributes.normalized ? std::sqrt(static_cast<double>(frames->size)) : 1;
  x = WeightedMean(b, cut, FrameElements(b, covered, *frames), covered,
                   FrameWindow(b, frames->size), scale);
  x = CutMargin(b, x, margin, covered, length);
  return {has_batch ? x : b.Squeeze(x, {0})};
}

constexpr NodeRule kRules[] = {
    {"STFT", 15, "RDFT(frames * window)", &Stft},
    {"ISTFT", 16, "sum of IRDFT(frames) * window / sum of window^2", &Istft},
};

}  // namespace

absl::Span<const NodeRule> FrameDecompositions() { return kRules; }

}  // namespace dovetail
