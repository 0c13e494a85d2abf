#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/top_k.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/ordering/ordering.h"

namespace dovetail {
namespace {

template <typename T>
bool IsNan(T x) {
  if constexpr (std::is_floating_point_v<T>) return x != x;
  return false;
}

// A total order with NaN above everything else.
template <typename T>
bool Less(T a, T b) {
  return IsNan(b) ? !IsNan(a) : a < b;
}

// Sorts `order`, the numbers of all elements of `line`, so that its first `k`
// are the operation's answer. The number breaks ties, so there are none.
template <typename T>
void SelectTop(const std::vector<T>& line, int64_t k,
               const TopKAttributes& attributes, std::vector<int64_t>& order) {
  const bool max = attributes.mode == TopKMode::kMax;
  const auto before = [&](int64_t a, int64_t b) {
    if (max ? Less(line[b], line[a]) : Less(line[a], line[b])) return true;
    if (max ? Less(line[a], line[b]) : Less(line[b], line[a])) return false;
    return a < b;
  };
  std::iota(order.begin(), order.end(), 0);
  if (k < static_cast<int64_t>(order.size())) {
    std::nth_element(order.begin(), order.begin() + k, order.end(), before);
  }
  if (attributes.sort == TopKSort::kIndex) {
    std::sort(order.begin(), order.begin() + k);
  } else {
    std::sort(order.begin(), order.begin() + k, before);
  }
}

void StoreIndex(const Tensor& indices, int64_t at, int64_t index) {
  if (indices.type() == ElementType::kI64) {
    indices.mutable_data<int64_t>()[at] = index;
  } else {
    indices.mutable_data<int32_t>()[at] = static_cast<int32_t>(index);
  }
}

template <typename T>
void TopK(const KernelContext& context, int axis) {
  const Tensor& data = context.input(0);
  const Tensor& values = context.output(0);
  const auto& attributes = context.attributes<TopKAttributes>();
  const int64_t extent = data.shape()[axis];
  const int64_t k = values.shape()[axis];
  const int64_t inner = data.shape().Count(axis + 1, data.rank());
  const int64_t lines = data.shape().Count(0, axis) * inner;
  ParallelLoop(context, lines, 8 * extent, [&](int64_t begin, int64_t end) {
    std::vector<T> line(extent);
    std::vector<int64_t> order(extent);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t from = i / inner * extent * inner + i % inner;
      const int64_t to = i / inner * k * inner + i % inner;
      for (int64_t j = 0; j < extent; ++j) {
        line[j] = data.data<T>()[from + j * inner];
      }
      SelectTop(line, k, attributes, order);
      for (int64_t j = 0; j < k; ++j) {
        values.mutable_data<T>()[to + j * inner] = line[order[j]];
        StoreIndex(context.output(1), to + j * inner, order[j]);
      }
    }
  });
}

}  // namespace

absl::Status TopKKernel(KernelContext& context) {
  const Shape& shape = context.input(0).shape();
  DOVETAIL_ASSIGN_OR_RETURN(
      const int axis,
      NormalizeAxis(context.attributes<TopKAttributes>().axis, shape.rank()));
  if (context.output(1).type() == ElementType::kI32 &&
      shape[axis] > INT32_MAX) {
    return context.Error("axis ", axis, " has ", shape[axis],
                         " elements, too many for index_element_type i32");
  }
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWide(wide.input(0).type(), wide, [&](auto tag) {
      TopK<typename decltype(tag)::type>(wide, axis);
      return absl::OkStatus();
    });
  });
}

}  // namespace dovetail
