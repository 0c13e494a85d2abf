#include "dovetail/core/reference/activation/activation.h"

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/reference/common/binary_rows.h"
#include "dovetail/core/reference/common/map.h"

namespace dovetail {
namespace {

// Cost of an exponential and of a few of them in simple operations.
constexpr int64_t kCost = 20;

// log(1 + exp(x)) without overflow, and exact where exp(x) is tiny.
template <typename T>
T SoftPlusOf(T x) {
  return std::fmax(x, T(0)) + std::log1p(std::exp(-std::fabs(x)));
}

// min(max(x + 3, 0), 6) / 6
template <typename T>
T HSigmoidOf(T x) {
  return std::fmin(std::fmax(x + 3, T(0)), T(6)) / 6;
}

struct PReluFn {
  template <typename T>
  T operator()(T x, T slope) const {
    if constexpr (std::is_integral_v<T>) {
      // Unsigned, because products of integers wrap.
      return x < 0 ? static_cast<T>(static_cast<uint64_t>(x) *
                                    static_cast<uint64_t>(slope))
                   : x;
    } else {
      return x < 0 ? static_cast<T>(x * slope) : x;
    }
  }
};

// The single element of input `i`.
double Scalar(const KernelContext& context, int i) {
  return context.input(i).ElementAsDouble(0);
}

// PRelu with the slope in the type of the data.
absl::Status PReluOfConvertedSlope(KernelContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(
      Tensor slope, ConvertTensor(context.input(1), context.input(0).type()));
  const Tensor inputs[] = {context.input(0), std::move(slope)};
  Tensor outputs[] = {context.output(0)};
  KernelContext converted(context.node(), inputs, absl::MakeSpan(outputs),
                          context.environment());
  return PReluKernel(converted);
}

}  // namespace

absl::Status ReluKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  if (IsFloat(type)) {
    return MapFloats(context, 1,
                     [](auto x) { return x < 0 ? decltype(x)(0) : x; });
  }
  return DispatchInteger(type, context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    return MapElements<T, T>(context, 1, [](T x) { return x > 0 ? x : T(0); });
  });
}

absl::Status PReluKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  if (context.input(1).type() != type) return PReluOfConvertedSlope(context);
  const PartialShape aligned =
      AlignSlope(context.input(1).shape(), context.input(0).shape());
  DOVETAIL_ASSIGN_OR_RETURN(const Shape slope, aligned.ToShape());
  const BinaryRowFn row =
      IsFloat(type) ? FloatRow<PReluFn>(type) : IntegerRow<PReluFn>(type);
  return RunBinaryRows(context, Alignment::kLast, row, 1, slope);
}

absl::Status EluKernel(KernelContext& context) {
  const double alpha = context.attributes<EluAttributes>().alpha;
  return MapFloats(context, kCost, [alpha](auto x) {
    using T = decltype(x);
    return x < 0 ? static_cast<T>(alpha) * std::expm1(x) : x;
  });
}

absl::Status SeluKernel(KernelContext& context) {
  const double alpha = Scalar(context, 1), lambda = Scalar(context, 2);
  return MapFloats(context, kCost, [alpha, lambda](auto x) {
    using T = decltype(x);
    const T a = static_cast<T>(alpha), scale = static_cast<T>(lambda);
    return scale * (x > 0 ? x : a * std::expm1(x));
  });
}

absl::Status GeluErfKernel(KernelContext& context) {
  return MapFloats(context, kCost, [](auto x) {
    using T = decltype(x);
    return T(0.5) * x * (1 + std::erf(x * static_cast<T>(M_SQRT1_2)));
  });
}

absl::Status GeluKernel(KernelContext& context) {
  if (context.attributes<GeluAttributes>().approximation_mode ==
      GeluMode::kErf) {
    return GeluErfKernel(context);
  }
  return MapFloats(context, kCost, [](auto x) {
    using T = decltype(x);
    const T scale = static_cast<T>(M_2_SQRTPI * M_SQRT1_2);  // sqrt(2 / pi)
    return T(0.5) * x * (1 + std::tanh(scale * x * (1 + T(0.044715) * x * x)));
  });
}

absl::Status SwishKernel(KernelContext& context) {
  const double beta = context.has_input(1) ? Scalar(context, 1) : 1;
  return MapFloats(context, kCost, [beta](auto x) {
    using T = decltype(x);
    return x / (1 + std::exp(-x * static_cast<T>(beta)));
  });
}

absl::Status HSwishKernel(KernelContext& context) {
  return MapFloats(context, 4, [](auto x) { return x * HSigmoidOf(x); });
}

absl::Status HSigmoidKernel(KernelContext& context) {
  return MapFloats(context, 4, [](auto x) { return HSigmoidOf(x); });
}

absl::Status HardSigmoidKernel(KernelContext& context) {
  const double alpha = Scalar(context, 1), beta = Scalar(context, 2);
  return MapFloats(context, 4, [alpha, beta](auto x) {
    using T = decltype(x);
    const T y = static_cast<T>(alpha) * x + static_cast<T>(beta);
    return std::fmax(T(0), std::fmin(T(1), y));
  });
}

absl::Status MishKernel(KernelContext& context) {
  return MapFloats(context, 3 * kCost,
                   [](auto x) { return x * std::tanh(SoftPlusOf(x)); });
}

absl::Status SoftPlusKernel(KernelContext& context) {
  return MapFloats(context, 2 * kCost, [](auto x) { return SoftPlusOf(x); });
}

absl::Status SoftSignKernel(KernelContext& context) {
  return MapFloats(context, 4, [](auto x) { return x / (1 + std::fabs(x)); });
}

absl::Status SigmoidKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  if (IsFloat(type)) {
    return MapFloats(context, kCost,
                     [](auto x) { return 1 / (1 + std::exp(-x)); });
  }
  return DispatchInteger(type, context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    return MapElements<T, T>(context, 1, [](T x) { return x > 0 ? 1 : 0; });
  });
}

absl::Status TanhKernel(KernelContext& context) {
  if (IsFloat(context.input(0).type())) {
    return MapFloats(context, kCost, [](auto x) { return std::tanh(x); });
  }
  return MapIntegersAsDoubles(context, ToInteger::kRound,
                              [](double x) { return std::tanh(x); });
}

}  // namespace dovetail
