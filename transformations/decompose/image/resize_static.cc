// Interpolate along one axis after the other, where extents and scales are
// known: an element is a weighted sum of some elements of the input.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/core/reference/image/resize/taps.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/image/resize.h"

namespace dovetail {
namespace {

// Constants of more elements would take more memory than what they resize.
constexpr int64_t kMaxTaps = int64_t{1} << 22;

// Whether an axis has fewer taps than that: some for each element of the
// output, and where it shrinks perhaps all of the input several times.
bool HasFewTaps(int64_t from, int64_t to) {
  return from < kMaxTaps / 16 && to < kMaxTaps / 16;
}

// An axis that changes.
struct Change {
  int axis;
  AxisTaps taps;
};

// The factors of the axes; empty where sizes are given instead.
std::optional<std::vector<double>> ScalesOf(const Node& node,
                                            const ResizeInputs& inputs) {
  std::vector<double> scales;
  if (inputs.scales < 0) return scales;
  const Tensor* tensor = ConstantOf(node.input(inputs.scales));
  if (tensor == nullptr) return std::nullopt;
  for (int64_t i = 0; i < tensor->element_count(); ++i) {
    scales.push_back(tensor->ElementAsDouble(i));
  }
  return scales;
}

// What the axes of x, which has its padding already, become; the last one comes
// first, as in the reference kernel.
std::optional<std::vector<Change>> ChangesOf(const Node& node, Value x) {
  const int rank = x.shape().rank();
  const ResizeInputs inputs = ResizeInputsOf(node, node.input_count());
  const auto axes = ResizedAxesOf(node, rank);
  const auto scales = ScalesOf(node, inputs);
  if (!axes.has_value() || !scales.has_value()) return std::nullopt;
  const InterpolateAttributes attributes = ResizeAttributesOf(node, rank);
  std::vector<std::pair<int, ResizeAxis>> resized;
  bool shrinks = false;
  for (size_t i = 0; i < axes->size(); ++i) {
    const Dimension from = x.shape()[(*axes)[i]];
    const Dimension to = node.port().shape[(*axes)[i]];
    if (!from.is_static() || !to.is_static() || from.value() == 0 ||
        to.value() == 0 || !HasFewTaps(from.value(), to.value()) ||
        (!scales->empty() && scales->size() <= i)) {
      return std::nullopt;
    }
    ResizeAxis axis;
    axis.data = axis.padded = from.value();
    axis.output = to.value();
    axis.scale = scales->empty() ? static_cast<float>(axis.output) /
                                       static_cast<float>(axis.padded)
                                 : static_cast<float>((*scales)[i]);
    shrinks |= axis.scale < 1;
    resized.emplace_back((*axes)[i], axis);
  }
  std::vector<Change> changes;
  for (auto& [number, axis] : resized) {
    axis.antialias = attributes.antialias && shrinks;
    AxisTaps taps = TapsOf(attributes, axis);
    if (taps.IsIdentity(axis.data)) continue;
    changes.push_back({number, std::move(taps)});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.axis > b.axis; });
  return changes;
}

// The same number of taps for each element. An element with less has its last
// one several times, each with a part of the weight: weights of 0 would make
// NaN of infinity.
struct EvenTaps {
  int64_t count = 1;
  std::vector<int64_t> indices;  // [output, count]
  std::vector<double> weights;
};

EvenTaps MakeEven(const AxisTaps& taps) {
  EvenTaps even;
  for (int64_t o = 0; o < taps.output(); ++o) {
    even.count = std::max(even.count, taps.first[o + 1] - taps.first[o]);
  }
  for (int64_t o = 0; o < taps.output(); ++o) {
    const int64_t begin = taps.first[o], end = taps.first[o + 1];
    const int64_t last = end - 1;
    const int64_t missing = even.count - (end - begin);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t times = t == last ? missing + 1 : 1;
      for (int64_t i = 0; i < times; ++i) {
        even.indices.push_back(taps.indices[t]);
        even.weights.push_back(taps.weights[t] / static_cast<double>(times));
      }
    }
  }
  return even;
}

bool HasTapsForAll(const AxisTaps& taps) {
  for (int64_t o = 0; o < taps.output(); ++o) {
    if (taps.first[o] == taps.first[o + 1]) return false;
  }
  return true;
}

Value ResampleAxis(NodeBuilder& b, Value x, const Change& change) {
  const EvenTaps taps = MakeEven(change.taps);
  const int axis = change.axis;
  if (taps.count == 1 && std::all_of(taps.weights.begin(), taps.weights.end(),
                                     [](double w) { return w == 1; })) {
    return b.Gather(x, b.Ints(taps.indices), axis);
  }
  const int64_t output = change.taps.output();
  const Value places = b.ReshapeTo(b.Ints(taps.indices), {output, taps.count});
  std::vector<int64_t> shape(x.shape().rank() + 1 - axis, 1);
  shape[0] = output;
  shape[1] = taps.count;
  const auto weights =
      Tensor::FromDoubles(x.type(), Shape(shape), taps.weights);
  b.Update(weights.status());
  if (!weights.ok()) return {};
  const Value products =
      b.Multiply(b.Gather(x, places, axis), b.Constant(*weights));
  return b.Reduce("ReduceSum", products, {axis + 1}, false);
}

}  // namespace

Replacement ResizeByConstants(NodeBuilder& b, const Node& node) {
  const ElementType type = b.type();
  if (!b.input(0).shape().rank_known() || b.input(0).shape().rank() == 0) {
    return {};
  }
  const InterpolateAttributes attributes =
      ResizeAttributesOf(node, b.input(0).shape().rank());
  const bool is_nearest = attributes.mode == ResizeMode::kNearest;
  if (!is_nearest && !CanWeigh(type)) return {};
  Value x = WithPadding(b, b.input(0), attributes);
  const auto changes = ChangesOf(node, x);
  if (!changes.has_value()) return {};
  const bool round = !is_nearest && IsInteger(type);
  const bool round_each = attributes.mode == ResizeMode::kBilinearPillow ||
                          attributes.mode == ResizeMode::kBicubicPillow;
  if (round) x = b.Convert(x, ElementType::kF32);
  for (const Change& change : *changes) {
    if (!HasTapsForAll(change.taps)) return {};
    x = ResampleAxis(b, x, change);
    if (round && round_each) x = RoundedTo(b, x, type);
  }
  if (round && !round_each) x = RoundedTo(b, x, type);
  return {b.Convert(x, type)};
}

}  // namespace dovetail
