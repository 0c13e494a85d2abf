// Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual.
#include "dovetail/core/reference/elementwise/binary.h"

namespace dovetail {
namespace {

struct EqualFn {
  template <typename T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqualFn {
  template <typename T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};
struct LessFn {
  template <typename T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqualFn {
  template <typename T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct GreaterFn {
  template <typename T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqualFn {
  template <typename T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};

// Booleans compare as bytes, 0 and 1.
template <typename F>
absl::Status ComparisonKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  const BinaryRowFn row =
      type == ElementType::kBoolean ? &BinaryRow<F, uint8_t, bool>
      : IsFloat(type)               ? FloatRow<F, bool>(type)
                                    : IntegerRow<F, bool>(type);
  return RunBinaryRows(context, AlignmentOf(context), row, 1);
}

}  // namespace

absl::Status EqualKernel(KernelContext& context) {
  return ComparisonKernel<EqualFn>(context);
}
absl::Status NotEqualKernel(KernelContext& context) {
  return ComparisonKernel<NotEqualFn>(context);
}
absl::Status LessKernel(KernelContext& context) {
  return ComparisonKernel<LessFn>(context);
}
absl::Status LessEqualKernel(KernelContext& context) {
  return ComparisonKernel<LessEqualFn>(context);
}
absl::Status GreaterKernel(KernelContext& context) {
  return ComparisonKernel<GreaterFn>(context);
}
absl::Status GreaterEqualKernel(KernelContext& context) {
  return ComparisonKernel<GreaterEqualFn>(context);
}

}  // namespace dovetail
