#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/unique.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/ordering/ordering.h"

namespace dovetail {
namespace {

// Compares slices of the data: all elements with one position on an axis.
template <typename T>
class Slices {
 public:
  Slices(const T* data, int64_t outer, int64_t count, int64_t inner)
      : data_(data), outer_(outer), count_(count), inner_(inner) {}

  // -1, 0 or 1; NaN above everything else and equal to itself.
  int Compare(int64_t a, int64_t b) const {
    for (int64_t i = 0; i < outer_; ++i) {
      for (int64_t j = 0; j < inner_; ++j) {
        const T& x = data_[(i * count_ + a) * inner_ + j];
        const T& y = data_[(i * count_ + b) * inner_ + j];
        if (Less(x, y)) return -1;
        if (Less(y, x)) return 1;
      }
    }
    return 0;
  }

  // Equal, and without NaN.
  bool Same(int64_t a, int64_t b) const {
    return Compare(a, b) == 0 && !HasNan(a);
  }

 private:
  static bool Less(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
      return b != b ? a == a : a < b;
    }
    return a < b;
  }

  bool HasNan(int64_t a) const {
    if constexpr (std::is_floating_point_v<T>) {
      for (int64_t i = 0; i < outer_; ++i) {
        for (int64_t j = 0; j < inner_; ++j) {
          const T& x = data_[(i * count_ + a) * inner_ + j];
          if (x != x) return true;
        }
      }
    }
    return false;
  }

  const T* data_;
  int64_t outer_, count_, inner_;
};

// The classes of equal slices: the numbers of their members, ascending.
using Classes = std::vector<std::vector<int64_t>>;

template <typename T>
Classes Classify(const Slices<T>& slices, int64_t count, bool sorted) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return slices.Compare(a, b) < 0;
  });
  Classes classes;
  for (int64_t slice : order) {
    if (classes.empty() || !slices.Same(classes.back().front(), slice)) {
      classes.emplace_back();
    }
    classes.back().push_back(slice);
  }
  if (!sorted) {
    std::sort(classes.begin(), classes.end(),
              [](const auto& a, const auto& b) { return a[0] < b[0]; });
  }
  return classes;
}

template <typename F>
absl::Status DispatchComparable(ElementType type, const KernelContext& context,
                                F&& f) {
  if (type == ElementType::kBoolean) return f(TypeTag<uint8_t>{});
  if (type == ElementType::kString) return f(TypeTag<std::string>{});
  return DispatchWide(type, context, f);
}

void Store(const Tensor& tensor, int64_t at, int64_t number) {
  if (tensor.type() == ElementType::kI64) {
    tensor.mutable_data<int64_t>()[at] = number;
  } else {
    tensor.mutable_data<int32_t>()[at] = static_cast<int32_t>(number);
  }
}

absl::Status WriteNumbers(KernelContext& context, const Classes& classes,
                          int64_t count) {
  const auto& attributes = context.attributes<UniqueAttributes>();
  const Shape unique{static_cast<int64_t>(classes.size())};
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(1, attributes.index_element_type, unique));
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(2, attributes.index_element_type, Shape{count}));
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(3, attributes.count_element_type, unique));
  for (int64_t i = 0; i < unique[0]; ++i) {
    Store(context.output(1), i, classes[i].front());
    Store(context.output(3), i, static_cast<int64_t>(classes[i].size()));
    for (int64_t member : classes[i]) Store(context.output(2), member, i);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status UniqueKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  Shape shape = data.shape();
  int axis = 0;
  if (context.has_input(1)) {
    DOVETAIL_ASSIGN_OR_RETURN(
        axis, NormalizeAxis(context.input(1).ElementAsInt64(0), data.rank()));
  } else {
    shape = Shape{data.element_count()};
  }
  const int64_t count = shape[axis];
  const int64_t outer = shape.Count(0, axis);
  const int64_t inner = shape.Count(axis + 1, shape.rank());
  Tensor wide = data;
  if (WideType(data.type()) != data.type()) {
    DOVETAIL_ASSIGN_OR_RETURN(wide,
                              ConvertTensor(data, WideType(data.type())));
  }
  Classes classes;
  DOVETAIL_RETURN_IF_ERROR(
      DispatchComparable(wide.type(), context, [&](auto tag) {
        using T = typename decltype(tag)::type;
        classes = Classify(
            Slices<T>(wide.data<T>(), outer, count, inner), count,
            context.attributes<UniqueAttributes>().sorted);
        return absl::OkStatus();
      }));
  DOVETAIL_RETURN_IF_ERROR(WriteNumbers(context, classes, count));
  Shape unique = shape;
  unique[axis] = static_cast<int64_t>(classes.size());
  DOVETAIL_RETURN_IF_ERROR(context.AllocateOutput(0, data.type(), unique));
  return DispatchBySize(data.type(), context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = context.output(0).mutable_data<T>();
    for (int64_t i = 0; i < outer; ++i) {
      for (const auto& members : classes) {
        to = std::copy_n(
            data.data<T>() + (i * count + members.front()) * inner, inner, to);
      }
    }
    return absl::OkStatus();
  });
}

}  // namespace dovetail
