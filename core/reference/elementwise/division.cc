// Divide, Mod, FloorMod, Power.
#include <cmath>
#include <limits>
#include <type_traits>

#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/elementwise/binary.h"

namespace dovetail {
namespace {

// The lowest number divided by -1 is one more than the largest: it wraps, but
// the processor would trap.
template <typename T>
bool IsMinusOne(T b) {
  if constexpr (std::is_signed_v<T>) return b == T(-1);
  return false;
}
template <typename T>
T Negated(T a) {
  return static_cast<T>(0u - static_cast<std::make_unsigned_t<T>>(a));
}

struct FloatDivideFn {
  template <typename T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct TruncateDivideFn {
  template <typename T>
  T operator()(T a, T b) const {
    return IsMinusOne(b) ? Negated(a) : static_cast<T>(a / b);
  }
};
// With m_pythondiv, which is the default: by the specification the quotient
// rounds down, although OpenVINO's CPU plugin truncates.
struct FloorDivideFn {
  template <typename T>
  T operator()(T a, T b) const {
    if (IsMinusOne(b)) return Negated(a);
    const bool rounds_up = a % b != 0 && (a < 0) != (b < 0);
    return static_cast<T>(a / b - (rounds_up ? 1 : 0));
  }
};

// The remainder with the dividend's sign.
struct ModFn {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return std::fmod(a, b);
    else return IsMinusOne(b) ? T(0) : static_cast<T>(a % b);
  }
};
// The remainder with the divisor's sign.
struct FloorModFn {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return a - b * std::floor(a / b);
    } else {
      if (IsMinusOne(b)) return T(0);
      const T rest = static_cast<T>(a % b);
      const bool other_sign = rest != 0 && (rest < 0) != (b < 0);
      return static_cast<T>(other_sign ? rest + b : rest);
    }
  }
};

template <typename T>
T PowerOfIntegers(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 0) return std::numeric_limits<T>::max();
      if (base == 1) return 1;
      if (base == T(-1)) return exponent % 2 == 0 ? T(1) : T(-1);
      return 0;
    }
  }
  uint64_t result = 1, factor = static_cast<uint64_t>(base);
  for (auto rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
    if (rest & 1) result *= factor;
    factor *= factor;
  }
  return static_cast<T>(result);
}

struct PowerFn {
  template <typename T>
  T operator()(T base, T exponent) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::pow(base, exponent);
    } else {
      return PowerOfIntegers(base, exponent);
    }
  }
};

// That no divisor is 0, where there is anything to divide.
absl::Status CheckDivisors(const KernelContext& context) {
  const Tensor& b = context.input(1);
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  return DispatchInteger(b.type(), context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    const T* divisors = b.data<T>();
    for (int64_t i = 0; i < b.element_count(); ++i) {
      if (divisors[i] == 0) {
        return context.Error("element ", i, " of input 1 is 0: cannot divide ",
                             ElementTypeName(b.type()), " by it");
      }
    }
    return absl::OkStatus();
  });
}

// `integers` and `floats` are the rows for the type of input 0.
absl::Status RunDivision(KernelContext& context, Alignment alignment,
                         BinaryRowFn integers, BinaryRowFn floats,
                         int64_t cost) {
  const bool is_float = IsFloat(context.input(0).type());
  if (!is_float) DOVETAIL_RETURN_IF_ERROR(CheckDivisors(context));
  return RunBinaryRows(context, alignment, is_float ? floats : integers,
                       cost);
}

}  // namespace

absl::Status DivideKernel(KernelContext& context) {
  const auto& attributes = context.attributes<DivideAttributes>();
  const ElementType type = context.input(0).type();
  return RunDivision(context,
                     attributes.auto_broadcast == AutoBroadcast::kPdpd
                         ? Alignment::kFirst
                         : Alignment::kLast,
                     attributes.m_pythondiv
                         ? IntegerRow<FloorDivideFn>(type)
                         : IntegerRow<TruncateDivideFn>(type),
                     FloatRow<FloatDivideFn>(type), 4);
}

absl::Status ModKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  return RunDivision(context, AlignmentOf(context), IntegerRow<ModFn>(type),
                     FloatRow<ModFn>(type), 20);
}

absl::Status FloorModKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  return RunDivision(context, AlignmentOf(context),
                     IntegerRow<FloorModFn>(type), FloatRow<FloorModFn>(type),
                     10);
}

absl::Status PowerKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  return RunBinaryRows(
      context, AlignmentOf(context),
      IsFloat(type) ? FloatRow<PowerFn>(type) : IntegerRow<PowerFn>(type), 60);
}

}  // namespace dovetail
