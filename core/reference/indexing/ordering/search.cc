#include <algorithm>
#include <cstdint>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/bucketize.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/indexing/ordering/ordering.h"

namespace dovetail {
namespace {

// For each element of `values` its place in a sorted list: after equal elements
// when `after`, else before them. Element i is searched in list number
// i / per_list, of `length` elements.
template <typename T>
void Search(const KernelContext& context, const Tensor& lists, int64_t length,
            const Tensor& values, int64_t per_list, bool after) {
  const Tensor& output = context.output(0);
  ParallelLoop(context, values.element_count(), 16,
               [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* const first = lists.data<T>() + i / per_list * length;
      const T value = values.data<T>()[i];
      const int64_t place =
          (after ? std::upper_bound(first, first + length, value)
                 : std::lower_bound(first, first + length, value)) -
          first;
      if (output.type() == ElementType::kI64) {
        output.mutable_data<int64_t>()[i] = place;
      } else {
        output.mutable_data<int32_t>()[i] = static_cast<int32_t>(place);
      }
    }
  });
}

// Both inputs in a type that holds them: f64 when one is floating-point.
absl::Status SearchWide(const KernelContext& context, const Tensor& lists,
                        int64_t length, const Tensor& values,
                        int64_t per_list, bool after) {
  const bool integers = IsInteger(lists.type()) && IsInteger(values.type());
  const bool all_u64 = lists.type() == ElementType::kU64 &&
                       values.type() == ElementType::kU64;
  const ElementType type = !integers ? ElementType::kF64
                           : all_u64 ? ElementType::kU64
                                     : ElementType::kI64;
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor wide_lists,
                            ConvertTensor(lists, type));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor wide_values,
                            ConvertTensor(values, type));
  if (!integers) {
    Search<double>(context, wide_lists, length, wide_values, per_list, after);
  } else if (all_u64) {
    Search<uint64_t>(context, wide_lists, length, wide_values, per_list,
                     after);
  } else {
    Search<int64_t>(context, wide_lists, length, wide_values, per_list, after);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status BucketizeKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& buckets = context.input(1);
  return SearchWide(
      context, buckets, buckets.element_count(), data,
      std::max<int64_t>(data.element_count(), 1),
      !context.attributes<BucketizeAttributes>().with_right_bound);
}

absl::Status SearchSortedKernel(KernelContext& context) {
  const Tensor& sorted = context.input(0);
  const Tensor& values = context.input(1);
  // A single list serves all values.
  const int64_t per_list =
      sorted.rank() == 1 ? values.element_count() : values.shape().back();
  return SearchWide(context, sorted, sorted.shape().back(), values,
                    std::max<int64_t>(per_list, 1),
                    context.attributes<SearchSortedAttributes>().right_mode);
}

}  // namespace dovetail
