// The operation Convert: what OpenVINO's plugins do on x86, without undefined
// behaviour. A float is cut off towards zero as an int64 (NaN and what is out
// of that range become 0 there), and an integer that its new type cannot hold
// keeps its low bits. Sub-byte integers keep their low bits too.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/element_access.h"
#include "dovetail/core/tensor/packing.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {
namespace {

template <typename T>
constexpr bool kIsFloating =
    std::is_floating_point_v<T> || std::is_same_v<T, Float16> ||
    std::is_same_v<T, BFloat16>;

// A float's integral part modulo 2^64, NaN and infinities 0.
template <typename F>
int64_t ToInteger(F value) {
  constexpr F kLimit = static_cast<F>(9223372036854775808.0);
  if (value >= -kLimit && value < kLimit) return static_cast<int64_t>(value);
  if (value >= kLimit && value < 2 * kLimit) {
    return static_cast<int64_t>(static_cast<uint64_t>(value));
  }
  return 0;
}

template <typename To, typename From>
To ConvertElement(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    if constexpr (kIsFloating<From>) {
      return static_cast<double>(value) != 0;
    } else {
      return value != From{0};
    }
  } else if constexpr (std::is_integral_v<To> && kIsFloating<From>) {
    if constexpr (std::is_floating_point_v<From>) {
      return static_cast<To>(ToInteger(value));
    } else {
      return static_cast<To>(ToInteger(static_cast<float>(value)));
    }
  } else if constexpr (kIsFloating<To> && !std::is_floating_point_v<To>) {
    return To(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <typename From, typename To>
void ConvertSpan(const Tensor& source, const Tensor& target) {
  const From* in = source.data<From>();
  To* out = target.mutable_data<To>();
  for (int64_t i = 0; i < source.element_count(); ++i) {
    out[i] = ConvertElement<To>(in[i]);
  }
}

// Calls f with a value of the C++ type for the common whole-byte types; false
// for the others.
template <typename F>
bool WithType(ElementType type, F&& f) {
  switch (type) {
    case ElementType::kBoolean: f(bool{}); return true;
    case ElementType::kF64: f(double{}); return true;
    case ElementType::kF32: f(float{}); return true;
    case ElementType::kF16: f(Float16()); return true;
    case ElementType::kBf16: f(BFloat16()); return true;
    case ElementType::kI8: f(int8_t{}); return true;
    case ElementType::kI16: f(int16_t{}); return true;
    case ElementType::kI32: f(int32_t{}); return true;
    case ElementType::kI64: f(int64_t{}); return true;
    case ElementType::kU8: f(uint8_t{}); return true;
    case ElementType::kU16: f(uint16_t{}); return true;
    case ElementType::kU32: f(uint32_t{}); return true;
    case ElementType::kU64: f(uint64_t{}); return true;
    default: return false;
  }
}

bool ConvertCommon(const Tensor& source, const Tensor& target) {
  bool done = false;
  WithType(source.type(), [&](auto from) {
    done = WithType(target.type(), [&](auto to) {
      ConvertSpan<decltype(from), decltype(to)>(source, target);
    });
  });
  return done;
}

// Through double, one element at a time: f8, f4 and sub-byte types.
void ConvertRare(const Tensor& source, const Tensor& target) {
  for (int64_t i = 0; i < source.element_count(); ++i) {
    if (IsSubByte(target.type()) && IsInteger(target.type())) {
      const int64_t value = IsFloat(source.type())
                                ? ToInteger(source.ElementAsDouble(i))
                                : source.ElementAsInt64(i);
      StorePacked(target.type(), target.mutable_raw_data(), i,
                  static_cast<uint8_t>(value));
    } else if (IsInteger(target.type())) {
      target.SetElement(i, std::trunc(source.ElementAsDouble(i)));
    } else {
      target.SetElement(i, source.ElementAsDouble(i));
    }
  }
}

}  // namespace

absl::StatusOr<Tensor> ConvertTensor(const Tensor& source, ElementType type) {
  if ((source.type() == ElementType::kString) !=
          (type == ElementType::kString) ||
      !source.has_data()) {
    return InvalidArgument("a tensor of type ", ElementTypeName(source.type()),
                           " cannot be converted to ", ElementTypeName(type));
  }
  if (source.type() == type) return source.Clone();
  Tensor contiguous = source;
  if (!source.is_contiguous()) {
    DOVETAIL_ASSIGN_OR_RETURN(contiguous, source.Clone());
  }
  DOVETAIL_ASSIGN_OR_RETURN(Tensor result,
                            Tensor::Allocate(type, source.shape()));
  if (!ConvertCommon(contiguous, result)) ConvertRare(contiguous, result);
  return result;
}

}  // namespace dovetail
