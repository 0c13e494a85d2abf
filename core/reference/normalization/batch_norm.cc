#include <cmath>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/normalization/normalization.h"

namespace dovetail {
namespace {

// Rows [N, C] of `row` neighbours each.
template <typename T>
void BatchNorm(const KernelContext& context, const BatchNormInputs& at,
               double epsilon) {
  const Shape& shape = context.input(at.data).shape();
  const int64_t channels = shape[1], row = shape.Count(2, shape.rank());
  const auto input = [&](int i) { return context.input(i).data<T>(); };
  const T* const data = input(at.data);
  const T* const gamma = input(at.gamma);
  const T* const beta = input(at.beta);
  const T* const means = input(at.mean);
  const T* const variances = input(at.variance);
  T* const out = context.output(0).mutable_data<T>();
  ParallelLoop(
      context, shape[0] * channels, 2 * row + 20,
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t channel = i % channels;
          const double variance = static_cast<double>(variances[channel]);
          const T factor =
              static_cast<T>(static_cast<double>(gamma[channel]) /
                             std::sqrt(variance + epsilon));
          const T mean = means[channel], term = beta[channel];
          for (int64_t k = i * row; k < (i + 1) * row; ++k) {
            out[k] = (data[k] - mean) * factor + term;
          }
        }
      });
}

}  // namespace

absl::Status BatchNormKernel(KernelContext& context) {
  const BatchNormInputs at = BatchNormInputsOf(context.node().op());
  const double epsilon = context.attributes<BatchNormAttributes>().epsilon;
  return WithWideTypes(context, at.data, [&](KernelContext& wide) {
    const Tensor& data = wide.input(at.data);
    if (data.element_count() == 0) return absl::OkStatus();
    return DispatchWideFloat(data.type(), wide, [&](auto tag) {
      BatchNorm<typename decltype(tag)::type>(wide, at, epsilon);
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
