#include "dovetail/core/reference/image/resize/interpolate.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/reference/common/copy_view.h"
#include "dovetail/core/reference/image/resize/resample.h"
#include "dovetail/core/reference/image/resize/taps.h"
#include "dovetail/core/reference/image/wide_floats.h"

namespace dovetail {
namespace {

int64_t PadAt(const std::vector<int64_t>& pads, int axis) {
  return axis < static_cast<int>(pads.size()) ? pads[axis] : 0;
}

// All axes of the data; those that are not resized have scale 1.
absl::StatusOr<std::vector<ResizeAxis>> AxesOf(
    const KernelContext& context, const InterpolateAttributes& attributes) {
  const Shape& data = context.input(0).shape();
  const Shape& output = context.output(0).shape();
  std::vector<ResizeAxis> axes(data.rank());
  for (int i = 0; i < data.rank(); ++i) {
    axes[i].data = data[i];
    axes[i].pad_begin = PadAt(attributes.pads_begin, i);
    axes[i].padded =
        data[i] + axes[i].pad_begin + PadAt(attributes.pads_end, i);
    axes[i].output = output[i];
    if (axes[i].padded == 0) {
      return context.Error("axis ", i, " of data of shape ", data.ToString(),
                           " has no element that the ", output[i],
                           " of the output could be made of");
    }
    if (std::max(output[i], data[i]) > kLongestResized) {
      return ResourceExhausted(
          context.node().Describe(), ": axis ", i, " of ", data[i], " to ",
          output[i], " elements is too long to be resized; at most ",
          kLongestResized, " can be");
    }
  }
  const InferContext infer(context.node(), context.inputs());
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<std::vector<int>> resized,
                            ResizedAxes(infer, data.rank()));
  const ResizeInputs inputs =
      ResizeInputsOf(context.node(), context.input_count());
  bool shrinks = false;
  for (size_t i = 0; i < resized->size(); ++i) {
    ResizeAxis& axis = axes[(*resized)[i]];
    axis.scale =
        inputs.scales >= 0
            ? static_cast<float>(
                  context.input(inputs.scales).ElementAsDouble(i))
            : static_cast<float>(axis.output) / static_cast<float>(axis.padded);
    shrinks |= axis.scale < 1;
  }
  for (int i : *resized) axes[i].antialias = attributes.antialias && shrinks;
  return axes;
}

// The axes that change, the last one first: while an image grows, the rows are
// still few when elements within a row are weighed, which is the slower half.
std::vector<int> ChangedAxes(const Shape& data,
                             const std::vector<AxisTaps>& taps) {
  std::vector<int> changed;
  for (int axis = data.rank() - 1; axis >= 0; --axis) {
    if (!taps[axis].IsIdentity(data[axis])) changed.push_back(axis);
  }
  return changed;
}

// Output 0 by weighted sums along one axis after the other. `rounded` is the
// integer type to which sums are rounded after each axis, or no integer.
absl::Status Resample(const KernelContext& context, Tensor data,
                      const Tensor& output, const std::vector<AxisTaps>& taps,
                      ElementType rounded) {
  const std::vector<int> changed = ChangedAxes(data.shape(), taps);
  if (changed.empty()) return CopyElements(context, data, output);
  for (int axis : changed) {
    Tensor result = output;
    if (axis != changed.back()) {
      Shape shape = data.shape();
      shape[axis] = taps[axis].output();
      DOVETAIL_ASSIGN_OR_RETURN(
          result, Tensor::AllocateUninitialized(data.type(), shape));
    }
    DOVETAIL_RETURN_IF_ERROR(
        ResampleAxis(context, data, axis, taps[axis], result));
    if (IsInteger(rounded)) RoundToInteger(context, rounded, result);
    data = std::move(result);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InterpolateKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const int rank = context.input(0).shape().rank();
  const InterpolateAttributes attributes =
      ResizeAttributesOf(context.node(), rank);
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<ResizeAxis> axes,
                            AxesOf(context, attributes));
  std::vector<AxisTaps> taps;
  for (const ResizeAxis& axis : axes) {
    taps.push_back(TapsOf(attributes, axis));
  }
  if (rank == 0) {
    return CopyElements(context, context.input(0), context.output(0));
  }
  if (attributes.mode == ResizeMode::kNearest) {
    return PickNearest(context, taps);
  }
  const bool pillow = attributes.mode == ResizeMode::kBilinearPillow ||
                      attributes.mode == ResizeMode::kBicubicPillow;
  const ElementType rounded =
      pillow ? context.input(0).type() : ElementType::kDynamic;
  return WithWideFloats(
      context, [&](const Tensor& data, const Tensor& output) {
        return Resample(context, data, output, taps, rounded);
      });
}

}  // namespace dovetail
