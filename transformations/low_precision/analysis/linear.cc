#include "dovetail/transformations/low_precision/analysis/linear.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

int64_t Product(const Shape& shape, int begin, int end) {
  int64_t product = 1;
  for (int i = begin; i < end; ++i) product *= shape[i];
  return product;
}

// Axes of the weights that together are the output channels.
struct ChannelAxes {
  int group = -1;
  int channel = 0;
};

std::optional<ChannelAxes> ChannelAxesOf(const Node& linear, int rank) {
  if (linear.Is("MatMul")) {
    const auto* attributes = linear.As<MatMulAttributes>();
    if (attributes == nullptr || rank < 2) return std::nullopt;
    const int channel = attributes->transpose_b ? rank - 2 : rank - 1;
    return ChannelAxes{rank == 3 ? 0 : -1, channel};
  }
  if (rank < 3) return std::nullopt;
  if (linear.Is("Convolution")) return ChannelAxes{-1, 0};
  if (linear.Is("GroupConvolution")) return ChannelAxes{0, 1};
  if (linear.Is("ConvolutionBackpropData")) return ChannelAxes{-1, 1};
  return ChannelAxes{0, 2};
}

bool IsDepthwise(const Node& linear, size_t channels) {
  const PartialShape& weights = linear.input(1).shape();
  return linear.Is("GroupConvolution") && weights.is_static() &&
         weights.rank() > 3 && weights[2].value() == 1 &&
         weights[0].value() == static_cast<int64_t>(channels);
}

bool HasRank2(Value value) {
  return value.shape().rank_known() && value.shape().rank() >= 2;
}

bool IsShapeOfScale(const Shape& shape, const Shape& scale) {
  const int missing = scale.rank() - shape.rank();
  for (int i = 0; i < scale.rank(); ++i) {
    if ((i < missing ? 1 : shape[i - missing]) != scale[i]) return false;
  }
  return missing >= 0;
}

std::optional<std::vector<float>> ScaleOfWeights(Value value,
                                                 const WeightsLayout& layout) {
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr || tensor->type() != ElementType::kF32 ||
      !tensor->is_contiguous() || tensor->rank() > layout.scale_shape.rank()) {
    return std::nullopt;
  }
  if (tensor->element_count() != 1 &&
      !IsShapeOfScale(tensor->shape(), layout.scale_shape)) {
    return std::nullopt;
  }
  const auto numbers = tensor->span<float>();
  return std::vector<float>(numbers.begin(), numbers.end());
}

}  // namespace

bool IsLinear(const Node& node) {
  return node.op().custom_opset.empty() && node.input_count() >= 2 &&
         (node.Is("Convolution") || node.Is("GroupConvolution") ||
          node.Is("ConvolutionBackpropData") ||
          node.Is("GroupConvolutionBackpropData") || node.Is("MatMul"));
}

std::optional<WeightsLayout> WeightsLayoutOf(const Node& linear) {
  if (!IsLinear(linear)) return std::nullopt;
  const PartialShape& partial = linear.input(1).shape();
  if (!partial.is_static()) return std::nullopt;
  const auto shape = partial.ToShape();
  const int rank = partial.rank();
  const auto axes = ChannelAxesOf(linear, rank);
  // With a number of elements that can be counted so can all products below.
  if (!shape.ok() || !axes.has_value() ||
      shape->ElementCount().value_or(0) == 0) {
    return std::nullopt;
  }
  WeightsLayout layout;
  const bool grouped = axes->group >= 0;
  if (grouped) layout.groups = (*shape)[0];
  layout.outer = Product(*shape, grouped ? 1 : 0, axes->channel);
  layout.channels = (*shape)[axes->channel];
  layout.inner = Product(*shape, axes->channel + 1, rank);
  if (linear.Is("MatMul") && rank > 3 && Product(*shape, 0, rank - 2) != 1) {
    return std::nullopt;
  }
  for (int i = 0; i < rank; ++i) {
    const bool of_channels = i == axes->channel || i == axes->group;
    layout.scale_shape.push_back(of_channels ? (*shape)[i] : 1);
  }
  // Groups whose channels follow one another are as good as one group.
  if (layout.outer == 1) {
    layout.channels *= layout.groups;
    layout.groups = 1;
  }
  return layout;
}

std::optional<IntegerWeights> MatchIntegerWeights(const Node& linear) {
  const auto layout = WeightsLayoutOf(linear);
  const Value product = linear.input(1);
  if (!layout.has_value() || !product.node->Is("Multiply") ||
      product.type() != ElementType::kF32) {
    return std::nullopt;
  }
  const Value converted = product.node->input(0);
  if (!converted.node->Is("Convert")) return std::nullopt;
  const Tensor* integers = ConstantOf(converted.node->input(0));
  auto scale = ScaleOfWeights(product.node->input(1), *layout);
  if (integers == nullptr || integers->type() != ElementType::kI8 ||
      !integers->is_contiguous() || !scale.has_value() ||
      converted.shape() != product.shape()) {
    return std::nullopt;
  }
  return IntegerWeights{converted, integers, *std::move(scale)};
}

bool IsUnpadded(const Node& linear) {
  if (linear.Is("MatMul")) return true;
  const auto* attributes = linear.As<ConvolutionAttributes>();
  if (attributes == nullptr) return false;  // the gradient of a convolution
  const SlidingWindow& window = attributes->window;
  if (window.auto_pad == AutoPad::kValid) return true;
  const auto is_zero = [](int64_t pad) { return pad == 0; };
  return window.auto_pad == AutoPad::kExplicit &&
         std::all_of(window.pads_begin.begin(), window.pads_begin.end(),
                     is_zero) &&
         std::all_of(window.pads_end.begin(), window.pads_end.end(), is_zero);
}

bool AcceptsData(const Node& linear, const QuantizationParams& params) {
  if (!IsLinear(linear) || linear.port().type != ElementType::kF32 ||
      !linear.input(0).shape().rank_known()) {
    return false;
  }
  if (linear.Is("MatMul") &&
      !(HasRank2(linear.input(0)) && HasRank2(linear.input(1)))) {
    return false;
  }
  if (params.is_per_channel() && !IsDepthwise(linear, params.scale.size())) {
    return false;
  }
  return HasZero(params) || IsUnpadded(linear);
}

bool AcceptsFactors(const Node& matmul, const QuantizationParams& a,
                    const QuantizationParams& b) {
  return matmul.Is("MatMul") && AcceptsData(matmul, a) && HasZero(a) &&
         b.type == ElementType::kI8 && !b.is_per_channel() &&
         std::abs(b.zero_point[0]) <= kZeroPointTolerance;
}

}  // namespace dovetail
