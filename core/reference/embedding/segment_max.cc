#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/embedding/segment_max.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/embedding/embedding.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail {
namespace {

// The least number of a type that is not infinite.
template <typename T>
T Lowest() {
  if constexpr (std::is_same_v<T, Float16>) return T::FromBits(0xfbff);
  else if constexpr (std::is_same_v<T, BFloat16>) return T::FromBits(0xff7f);
  else return std::numeric_limits<T>::lowest();
}

// Output row `segment` from rows [begin, end) of the data.
template <typename T>
void FindMax(const T* data, int64_t begin, int64_t end, int64_t length,
             T empty, T* out) {
  std::fill_n(out, length, begin == end ? empty : Lowest<T>());
  for (int64_t row = begin; row < end; ++row) {
    const T* const x = data + row * length;
    for (int64_t k = 0; k < length; ++k) {
      if (x[k] > out[k]) out[k] = x[k];
    }
  }
}

}  // namespace

absl::Status SegmentMaxKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  if (output.element_count() == 0) return absl::OkStatus();
  const std::vector<int64_t> ids = ToInt64Vector(context.input(1));
  const int64_t count = output.shape()[0];
  const int64_t length = output.element_count() / count;
  const bool zero = context.attributes<SegmentMaxAttributes>().fill_mode ==
                    FillMode::kZero;
  const auto row_of = [&](int64_t segment) {
    return std::lower_bound(ids.begin(), ids.end(), segment) - ids.begin();
  };
  const int64_t size = static_cast<int64_t>(ids.size()) / count + 1;
  return DispatchNumeric(data.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T empty = zero ? T(0) : Lowest<T>();
    ParallelLoop(context, count, size * length,
                 [&](int64_t segment, int64_t last) {
                   for (; segment < last; ++segment) {
                     FindMax(data.data<T>(), row_of(segment),
                             row_of(segment + 1), length, empty,
                             output.mutable_data<T>() + segment * length);
                   }
                 });
    return absl::OkStatus();
  });
}

}  // namespace dovetail
