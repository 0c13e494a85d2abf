// Add, Subtract, Multiply, SquaredDifference, Maximum, Minimum.
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/reference/elementwise/binary.h"

namespace dovetail {
namespace {

// What to compute small unsigned integers in, so that C++ does not promote
// them to int, which overflows.
template <typename T>
using Wide = decltype(T{} + 0u);

struct AddFn {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) + Wide<T>(b));
  }
};
struct SubtractFn {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) - Wide<T>(b));
  }
};
struct MultiplyFn {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) * Wide<T>(b));
  }
};
// Exact for integers of any sign, but for wrapping at the end: an unsigned
// difference is not cut off at 0, which the specification says nothing of.
struct SquaredDifferenceFn {
  template <typename T>
  T operator()(T a, T b) const {
    const Wide<T> difference = Wide<T>(a) - Wide<T>(b);
    return static_cast<T>(difference * difference);
  }
};
struct MaximumFn {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct MinimumFn {
  template <typename T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

template <typename F>
absl::Status ModularKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  const BinaryRowFn row =
      IsFloat(type) ? FloatRow<F>(type) : ModularRow<F>(type);
  return RunBinaryRows(context, AlignmentOf(context), row, 1);
}

template <typename F>
absl::Status OrderedKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  const BinaryRowFn row =
      IsFloat(type) ? FloatRow<F>(type) : IntegerRow<F>(type);
  return RunBinaryRows(context, AlignmentOf(context), row, 1);
}

}  // namespace

// One rule for all operations, comparisons too, for which implementations
// differ: the specification has but one.
Alignment AlignmentOf(const KernelContext& context) {
  const AutoBroadcast mode =
      context.attributes<BinaryAttributes>().auto_broadcast;
  return mode == AutoBroadcast::kPdpd ? Alignment::kFirst : Alignment::kLast;
}

absl::Status AddKernel(KernelContext& context) {
  return ModularKernel<AddFn>(context);
}
absl::Status SubtractKernel(KernelContext& context) {
  return ModularKernel<SubtractFn>(context);
}
absl::Status MultiplyKernel(KernelContext& context) {
  return ModularKernel<MultiplyFn>(context);
}
absl::Status SquaredDifferenceKernel(KernelContext& context) {
  return ModularKernel<SquaredDifferenceFn>(context);
}
absl::Status MaximumKernel(KernelContext& context) {
  return OrderedKernel<MaximumFn>(context);
}
absl::Status MinimumKernel(KernelContext& context) {
  return OrderedKernel<MinimumFn>(context);
}

}  // namespace dovetail
