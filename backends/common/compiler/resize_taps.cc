#include "dovetail/backends/common/compiler/resize_taps.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/transformations/common/constants.h"

namespace dovetail {
namespace {

// Which axes the sizes or scales are for; nothing when that is computed.
std::optional<std::vector<int64_t>> ResizedAxesOf(const Node& node, int input,
                                                  int rank) {
  if (const auto* version0 = node.As<Interpolate0Attributes>()) {
    return version0->axes;
  }
  if (input >= 0) return ConstantInts(node.input(input));
  std::vector<int64_t> all(rank);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int64_t PadAt(const std::vector<int64_t>& pads, int axis) {
  return axis < static_cast<int>(pads.size()) ? pads[axis] : 0;
}

}  // namespace

std::optional<std::vector<AxisTaps>> ResizeTapsOf(const Node& node) {
  const Shape data = PlanBuilderBase::ShapeOf(node.input(0));
  const Shape output =
      PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node));
  const int rank = data.rank();
  const InterpolateAttributes attributes = ResizeAttributesOf(node, rank);
  const ResizeInputs inputs = ResizeInputsOf(node, node.input_count());
  const auto list = ResizedAxesOf(node, inputs.axes, rank);
  if (!list) return std::nullopt;
  const Tensor* scales = nullptr;
  if (inputs.scales >= 0) {
    scales = PlanBuilderBase::ConstantOf(node.input(inputs.scales));
    if (scales == nullptr) return std::nullopt;
  }
  std::vector<ResizeAxis> axes(rank);
  for (int i = 0; i < rank; ++i) {
    axes[i].data = data[i];
    axes[i].pad_begin = PadAt(attributes.pads_begin, i);
    axes[i].padded =
        data[i] + axes[i].pad_begin + PadAt(attributes.pads_end, i);
    axes[i].output = output[i];
    if (axes[i].padded == 0) return std::nullopt;
    // The reference kernel says why it refuses these.
    if (std::max(data[i], output[i]) > kLongestResized) return std::nullopt;
  }
  bool shrinks = false;
  for (size_t i = 0; i < list->size(); ++i) {
    const auto axis = NormalizeAxis((*list)[i], rank);
    if (!axis.ok()) return std::nullopt;
    ResizeAxis& resized = axes[*axis];
    const int64_t element = static_cast<int64_t>(i);
    if (scales != nullptr && element >= scales->element_count()) {
      return std::nullopt;
    }
    resized.scale = scales != nullptr
                        ? static_cast<float>(scales->ElementAsDouble(element))
                        : static_cast<float>(resized.output) /
                              static_cast<float>(resized.padded);
    shrinks |= resized.scale < 1;
  }
  for (const int64_t i : *list) {
    axes[i < 0 ? i + rank : i].antialias = attributes.antialias && shrinks;
  }
  std::vector<AxisTaps> taps;
  for (const ResizeAxis& axis : axes) taps.push_back(TapsOf(attributes, axis));
  return taps;
}

}  // namespace dovetail
