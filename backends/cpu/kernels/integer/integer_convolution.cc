#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"

#include <algorithm>
#include <limits>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/integer/bytes/bytes.h"
#include "dovetail/backends/cpu/kernels/integer/depthwise/depthwise.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct.h"
#include "dovetail/backends/cpu/kernels/integer/grouped_method.h"
#include "dovetail/backends/cpu/kernels/integer/volume_method.h"
#include "dovetail/backends/cpu/kernels/integer/winograd/winograd.h"

namespace dovetail::cpu {
namespace {

bool IsDepthwise(const IntegerConvolutionShape& shape) {
  return shape.groups == shape.inputs && shape.groups == shape.outputs;
}

bool HasMethod(const IntegerConvolutionShape& shape) {
  if (shape.is_volume()) return VolumeIntegerMethod::IsFitting(shape);
  return (shape.groups == 1 && shape.zero_points.empty()) ||
         IsDepthwise(shape) || GroupedIntegerMethod::IsFitting(shape);
}

// For all of the weights: what is exact for each, and fast for most of them.
std::unique_ptr<const IntegerMethod> MakeDense(
    const IntegerConvolutionShape& shape,
    absl::Span<const int8_t* const> weights, int threads) {
  const auto fitting = [&](auto is_fitting) {
    return std::count_if(weights.begin(), weights.end(), is_fitting);
  };
  const auto count = static_cast<int64_t>(weights.size());
  if (count == fitting([&](const int8_t* of) {
        return WinogradIntegerMethod::IsFitting(shape, of);
      })) {
    return std::make_unique<WinogradIntegerMethod>(shape, threads);
  }
  if (count <= 2 * fitting([&](const int8_t* of) {
                 return ByteIntegerMethod::IsFitting(shape, of);
               })) {
    return std::make_unique<ByteIntegerMethod>(shape, threads);
  }
  return std::make_unique<DirectIntegerMethod>(shape, threads);
}

}  // namespace

bool IntegerConvolution::IsSupported(const IntegerConvolutionShape& shape) {
  const int64_t terms = shape.inputs / shape.groups * shape.planes.kernel *
                        shape.rows.kernel * shape.columns.kernel;
  return HasWideVectors() && HasMethod(shape) &&
         terms <= std::numeric_limits<int32_t>::max() / (255 * 128);
}

IntegerConvolution::IntegerConvolution(const IntegerConvolutionShape& shape,
                                       const int8_t* weights, int threads) {
  if (shape.is_volume()) {
    method_ = std::make_unique<VolumeIntegerMethod>(shape, weights, threads,
                                                    MakeDense);
  } else if (shape.groups == 1) {
    method_ = MakeDense(shape, {weights}, threads);
  } else if (IsDepthwise(shape)) {
    method_ = std::make_unique<DepthwiseIntegerMethod>(shape, threads);
  } else {
    method_ = std::make_unique<GroupedIntegerMethod>(shape, weights, threads,
                                                     MakeDense);
  }
}

}  // namespace dovetail::cpu
