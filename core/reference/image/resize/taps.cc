#include "dovetail/core/reference/image/resize/taps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dovetail/core/reference/image/resize/cubic.h"

namespace dovetail {
namespace {

// Position in the padded input of the middle of output element `o`. In float,
// as OpenVINO and ONNX Runtime have it: ties of the nearest neighbour depend on
// it.
float PositionOf(CoordinateMode mode, const ResizeAxis& axis, int64_t o) {
  const float x = static_cast<float>(o);
  if (axis.scale == 1 || axis.output == axis.padded) return x;
  switch (mode) {
    case CoordinateMode::kHalfPixel: return (x + 0.5f) / axis.scale - 0.5f;
    case CoordinateMode::kPytorchHalfPixel:
      return axis.output > 1 ? (x + 0.5f) / axis.scale - 0.5f : 0.0f;
    case CoordinateMode::kAsymmetric: return x / axis.scale;
    case CoordinateMode::kTfHalfPixelForNn: return (x + 0.5f) / axis.scale;
    case CoordinateMode::kAlignCorners:
      return axis.output == 1 ? 0.0f
                              : x * static_cast<float>(axis.padded - 1) /
                                    static_cast<float>(axis.output - 1);
  }
  return x;
}

// The position, but never so far outside that an index would overflow: a scale
// may be anything.
float SafePosition(CoordinateMode mode, const ResizeAxis& axis, int64_t o) {
  const float position = PositionOf(mode, axis, o);
  if (std::isnan(position)) return 0;
  const float limit = 2 * static_cast<float>(axis.padded) + 8;
  return std::clamp(position, -limit, limit);
}

int64_t Clamp(int64_t index, const ResizeAxis& axis) {
  return std::clamp<int64_t>(index, 0, axis.padded - 1);
}

float NearestTo(NearestMode mode, float position, bool shrinks) {
  switch (mode) {
    case NearestMode::kRoundPreferFloor:
      return position == std::floor(position) + 0.5f ? std::floor(position)
                                                     : std::round(position);
    // Not std::round, which takes -0.5 to -1; the end is cut to 0 anyway.
    case NearestMode::kRoundPreferCeil: return std::floor(position + 0.5f);
    case NearestMode::kFloor: return std::floor(position);
    case NearestMode::kCeil: return std::ceil(position);
    case NearestMode::kSimple:
      return shrinks ? std::ceil(position) : std::trunc(position);
  }
  return position;
}

double Triangle(double d) { return std::max(0.0, 1 - std::fabs(d)); }

// Collects the taps of one element after the other; indices count from the
// first zero of the padding.
class TapList {
 public:
  explicit TapList(const ResizeAxis& axis) : axis_(axis) {
    taps_.first.reserve(axis.output + 1);
    taps_.first.push_back(0);
  }

  void Add(int64_t index, double weight) {
    sum_ += weight;
    const int64_t in_data = index - axis_.pad_begin;
    if (weight == 0 || in_data < 0 || in_data >= axis_.data) return;
    taps_.indices.push_back(in_data);
    taps_.weights.push_back(weight);
  }

  void EndElement() {
    taps_.first.push_back(static_cast<int64_t>(taps_.indices.size()));
    sum_ = 0;
  }

  // The same, with all weights of the element, those of padding too, made to
  // add up to 1.
  void EndNormalized() {
    const size_t begin = static_cast<size_t>(taps_.first.back());
    for (size_t t = begin; t < taps_.weights.size(); ++t) {
      if (sum_ != 0) taps_.weights[t] /= sum_;
    }
    EndElement();
  }

  AxisTaps Take() { return std::move(taps_); }

 private:
  const ResizeAxis& axis_;
  AxisTaps taps_;
  double sum_ = 0;
};

// With `antialias` it is PyTorch's smoothing; OpenVINO's CPU plugin ignores the
// attribute, its reference does not.
void AddLinear(const ResizeAxis& axis, float position, TapList& taps) {
  // A triangle narrower than the distance of two elements would miss both, so
  // only shrinking changes its width.
  const double slope =
      axis.antialias
          ? std::clamp<double>(axis.scale, 1.0 / axis.padded, 1.0)
          : 1.0;
  const int64_t last = std::min<int64_t>(
      static_cast<int64_t>(std::floor(position + 1 / slope)), axis.padded - 1);
  for (int64_t i = std::max<int64_t>(
           static_cast<int64_t>(std::ceil(position - 1 / slope)), 0);
       i <= last; ++i) {
    taps.Add(i, Triangle(slope * (position - static_cast<double>(i))));
  }
  taps.EndNormalized();
}

void AddLinearOnnx(const ResizeAxis& axis, float position, TapList& taps) {
  position =
      std::clamp(position, 0.0f, static_cast<float>(axis.padded - 1));
  const int64_t low = Clamp(static_cast<int64_t>(position), axis);
  const double fraction = position - static_cast<double>(low);
  taps.Add(low, 1 - fraction);
  taps.Add(Clamp(low + 1, axis), fraction);
  taps.EndElement();
}

void AddCubic(const ResizeAxis& axis, float position, double coeff,
              TapList& taps) {
  const float base = std::floor(position);
  for (int i = -1; i <= 2; ++i) {
    taps.Add(Clamp(static_cast<int64_t>(base) + i, axis),
             CubicConvolution(position - base - static_cast<double>(i),
                              coeff));
  }
  taps.EndElement();
}

// Pillow's filter has the width of its kernel in elements of the output where
// the axis shrinks, and looks at the extents only, never at given scales.
// `reach` is how far the kernel goes.
template <typename Kernel>
void AddPillow(const ResizeAxis& axis, int64_t o, double reach, Kernel kernel,
               TapList& taps) {
  const double step =
      static_cast<double>(axis.padded) / static_cast<double>(axis.output);
  const double width = std::max(step, 1.0);
  const double center = (static_cast<double>(o) + 0.5) * step;
  const int64_t end =
      std::min(static_cast<int64_t>(center + reach * width + 0.5), axis.padded);
  for (int64_t i = std::max<int64_t>(
           static_cast<int64_t>(center - reach * width + 0.5), 0);
       i < end; ++i) {
    taps.Add(i, kernel((static_cast<double>(i) + 0.5 - center) / width));
  }
  taps.EndNormalized();
}

// The specification only names the mode. Here an element is the mean of what
// it covers of the padded input, as in TensorFlow's ResizeArea, whose modes and
// `align_corners` version 0 took over: with aligned corners the elements are
// (padded - 1) / (output - 1) wide, so that the last one begins where the last
// of the input does, and what it covers beyond that is the same once more.
void AddArea(const ResizeAxis& axis, bool align_corners, int64_t o,
             TapList& taps) {
  const bool aligned =
      align_corners && axis.output > 1 && axis.padded > 1;
  const double width =
      static_cast<double>(aligned ? axis.padded - 1 : axis.padded) /
      static_cast<double>(aligned ? axis.output - 1 : axis.output);
  const double begin = static_cast<double>(o) * width;
  const double end = begin + width;
  const int64_t first = static_cast<int64_t>(std::floor(begin));
  taps.Add(Clamp(first, axis),
           std::min(end, static_cast<double>(first + 1)) - begin);
  for (int64_t i = first + 1; static_cast<double>(i) < end; ++i) {
    taps.Add(Clamp(i, axis), std::min(end - static_cast<double>(i), 1.0));
  }
  taps.EndNormalized();
}

void AddElement(const InterpolateAttributes& attributes,
                const ResizeAxis& axis, int64_t o, TapList& taps) {
  const float position = SafePosition(attributes.coordinate_mode, axis, o);
  const double coeff = attributes.cube_coeff;
  switch (attributes.mode) {
    case ResizeMode::kNearest: {
      const float nearest =
          NearestTo(attributes.nearest_mode, position, axis.scale < 1);
      taps.Add(Clamp(static_cast<int64_t>(nearest), axis), 1);
      return taps.EndElement();
    }
    case ResizeMode::kLinear: return AddLinear(axis, position, taps);
    case ResizeMode::kLinearOnnx: return AddLinearOnnx(axis, position, taps);
    case ResizeMode::kCubic: return AddCubic(axis, position, coeff, taps);
    case ResizeMode::kBilinearPillow:
      return AddPillow(axis, o, 1, &Triangle, taps);
    case ResizeMode::kBicubicPillow:
      // The specification gives cube_coeff a meaning here; Pillow itself, and
      // OpenVINO's plugin for CPUs, know -0.5 only.
      return AddPillow(
          axis, o, 2,
          [coeff](double d) { return CubicConvolution(d, coeff); }, taps);
    case ResizeMode::kArea:
      return AddArea(
          axis, attributes.coordinate_mode == CoordinateMode::kAlignCorners, o,
          taps);
  }
}

}  // namespace

bool AxisTaps::IsIdentity(int64_t extent) const {
  if (output() != extent ||
      static_cast<int64_t>(indices.size()) != extent) {
    return false;
  }
  for (int64_t i = 0; i < extent; ++i) {
    if (first[i] != i || indices[i] != i || weights[i] != 1) return false;
  }
  return true;
}

AxisTaps TapsOf(const InterpolateAttributes& attributes,
                const ResizeAxis& axis) {
  TapList taps(axis);
  for (int64_t o = 0; o < axis.output; ++o) {
    AddElement(attributes, axis, o, taps);
  }
  return taps.Take();
}

}  // namespace dovetail
