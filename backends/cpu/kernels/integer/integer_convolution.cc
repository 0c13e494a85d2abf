#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"

#include <limits>

#include "dovetail/backends/cpu/kernels/common/wide_vectors.h"
#include "dovetail/backends/cpu/kernels/integer/bytes/bytes.h"
#include "dovetail/backends/cpu/kernels/integer/depthwise/depthwise.h"
#include "dovetail/backends/cpu/kernels/integer/direct/direct.h"
#include "dovetail/backends/cpu/kernels/integer/winograd/winograd.h"

namespace dovetail::cpu {

bool IntegerConvolution::IsSupported(const IntegerConvolutionShape& shape) {
  const int64_t terms =
      shape.inputs / shape.groups * shape.rows.kernel * shape.columns.kernel;
  const bool is_depthwise =
      shape.groups == shape.inputs && shape.groups == shape.outputs;
  const bool has_one_zero_point = shape.zero_points.empty();
  return HasWideVectors() &&
         ((shape.groups == 1 && has_one_zero_point) || is_depthwise) &&
         terms <= std::numeric_limits<int32_t>::max() / (255 * 128);
}

IntegerConvolution::IntegerConvolution(const IntegerConvolutionShape& shape,
                                       const int8_t* weights, int threads) {
  if (shape.groups > 1) {
    method_ = std::make_unique<DepthwiseIntegerMethod>(shape, threads);
  } else if (WinogradIntegerMethod::IsFitting(shape, weights)) {
    method_ = std::make_unique<WinogradIntegerMethod>(shape, threads);
  } else if (ByteIntegerMethod::IsFitting(shape, weights)) {
    method_ = std::make_unique<ByteIntegerMethod>(shape, threads);
  } else {
    method_ = std::make_unique<DirectIntegerMethod>(shape, threads);
  }
}

}  // namespace dovetail::cpu
