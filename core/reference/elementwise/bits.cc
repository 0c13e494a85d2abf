// LogicalAnd, LogicalOr, LogicalXor; BitwiseAnd … BitwiseRightShift.
#include <type_traits>

#include "dovetail/core/reference/elementwise/binary.h"

namespace dovetail {
namespace {

// Booleans are bytes that may hold any number in a caller's tensor.
struct LogicalAndFn {
  bool operator()(uint8_t a, uint8_t b) const { return a != 0 && b != 0; }
};
struct LogicalOrFn {
  bool operator()(uint8_t a, uint8_t b) const { return a != 0 || b != 0; }
};
struct LogicalXorFn {
  bool operator()(uint8_t a, uint8_t b) const { return (a != 0) != (b != 0); }
};

struct AndFn {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct OrFn {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct XorFn {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

template <typename T>
int Distance(T b) {
  return static_cast<int>(static_cast<uint64_t>(b) &
                          (sizeof(T) == 8 ? 63 : 31));
}
struct LeftShiftFn {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<uint64_t>(a) << Distance(b));
  }
};
struct RightShiftFn {
  template <typename T>
  T operator()(T a, T b) const {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    return static_cast<T>(static_cast<Wide>(a) >> Distance(b));
  }
};

template <typename F>
absl::Status LogicalKernel(KernelContext& context) {
  return RunBinaryRows(context, AlignmentOf(context),
                       &BinaryRow<F, uint8_t, bool>, 1);
}

template <typename Bitwise, typename Logical>
absl::Status BitwiseKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  if (type == ElementType::kBoolean) return LogicalKernel<Logical>(context);
  return RunBinaryRows(context, AlignmentOf(context),
                       ModularRow<Bitwise>(type), 1);
}

template <typename F>
absl::Status ShiftKernel(KernelContext& context) {
  return RunBinaryRows(context, AlignmentOf(context),
                       IntegerRow<F>(context.input(0).type()), 1);
}

}  // namespace

absl::Status LogicalAndKernel(KernelContext& context) {
  return LogicalKernel<LogicalAndFn>(context);
}
absl::Status LogicalOrKernel(KernelContext& context) {
  return LogicalKernel<LogicalOrFn>(context);
}
absl::Status LogicalXorKernel(KernelContext& context) {
  return LogicalKernel<LogicalXorFn>(context);
}
absl::Status BitwiseAndKernel(KernelContext& context) {
  return BitwiseKernel<AndFn, LogicalAndFn>(context);
}
absl::Status BitwiseOrKernel(KernelContext& context) {
  return BitwiseKernel<OrFn, LogicalOrFn>(context);
}
absl::Status BitwiseXorKernel(KernelContext& context) {
  return BitwiseKernel<XorFn, LogicalXorFn>(context);
}
absl::Status BitwiseLeftShiftKernel(KernelContext& context) {
  return ShiftKernel<LeftShiftFn>(context);
}
absl::Status BitwiseRightShiftKernel(KernelContext& context) {
  return ShiftKernel<RightShiftFn>(context);
}

}  // namespace dovetail
