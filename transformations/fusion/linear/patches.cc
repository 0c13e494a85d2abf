// Convolutions whose windows lie side by side and have few channels, as those
// that cut a picture into patches: each window is a pixel of many channels, and
// the convolution one of windows of one element.

#include <cstdint>
#include <vector>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/linear/linear_op.h"
#include "dovetail/transformations/fusion/linear/rules.h"
#include "dovetail/transformations/fusion/linear/windows.h"

namespace dovetail {
namespace {

using Numbers = std::vector<int64_t>;

// More fill vectors, or tiles, by themselves.
constexpr int64_t kMostChannels = 4;
// Windows of fewer elements are not worth a copy: in f32, 8 x 8 of 3 channels
// take 0.134 ms as they are and 0.151 cut up, 16 x 16 1.28 and 0.83 (AVX2, Xeon
// with AMX).
constexpr int64_t kFewestTaps = 256;

// Whether windows of the weights' extents take the data apart.
bool LieSideBySide(const Node& node, const Shape& data, const Shape& weights) {
  const auto* attributes = node.As<ConvolutionAttributes>();
  const int spatial = weights.rank() - 2;
  if (attributes == nullptr ||
      static_cast<int>(attributes->window.strides.size()) != spatial) {
    return false;
  }
  const SlidingWindow& window = attributes->window;
  if (!AreAll(window.dilations, 1) || !ListsNoPadding(window)) return false;
  for (int i = 0; i < spatial; ++i) {
    const int64_t extent = weights[i + 2];
    if (window.strides[i] != extent || data[i + 2] % extent != 0) return false;
  }
  return true;
}

// [n, c, y ky, x kx] -> [n, c ky kx, y, x], which lies with channels last.
Value PatchesOf(NodeBuilder& b, Value data, const Shape& extents,
                const Shape& weights) {
  const int spatial = weights.rank() - 2;
  Numbers parts = {extents[0], extents[1]};
  Numbers pixels = {extents[0]};
  Numbers order = {0}, taps = {1}, to_second = {0, spatial + 1};
  for (int i = 2; i < weights.rank(); ++i) {
    pixels.push_back(extents[i] / weights[i]);
    parts.push_back(pixels.back());
    parts.push_back(weights[i]);
    order.push_back(2 * i - 2);
    taps.push_back(2 * i - 1);
    to_second.push_back(i - 1);
  }
  order.insert(order.end(), taps.begin(), taps.end());
  pixels.push_back(weights.Count(1, weights.rank()));
  const Value apart = b.Transpose(b.ReshapeTo(data, parts), order);
  return b.Transpose(b.ReshapeTo(apart, pixels), to_second);
}

Replacement OfPatches(NodeBuilder& b, const Node& node) {
  const auto op = LinearOpOf(node);
  if (!op.has_value() || op->inputs > kMostChannels) return {};
  const Shape& weights = op->weights->shape();
  const int64_t taps = weights.Count(1, weights.rank());
  const auto extents = node.input(0).shape().ToShape();
  if (!extents.ok() || taps < kFewestTaps ||
      !LieSideBySide(node, *extents, weights)) {
    return {};
  }
  Numbers pointwise(weights.rank(), 1);
  pointwise[0] = weights[0];
  pointwise[1] = taps;
  const Value flat = Folded(b, "Reshape", {node.input(1), b.Ints(pointwise)},
                            {{"special_zero", false}});
  if (!flat) return {};
  const auto spatial = static_cast<size_t>(weights.rank() - 2);
  const Numbers ones(spatial, 1), zeros(spatial, 0);
  const Value patches = PatchesOf(b, node.input(0), *extents, weights);
  return {b.Make("Convolution", {patches, flat},
                 {{"strides", ones},
                  {"dilations", ones},
                  {"pads_begin", zeros},
                  {"pads_end", zeros}})};
}

constexpr NodeRule kRules[] = {
    {"Convolution", 1, "patches as pixels of many channels", &OfPatches},
};

}  // namespace

absl::Span<const NodeRule> PatchConvolutions() { return kRules; }

}  // namespace dovetail
