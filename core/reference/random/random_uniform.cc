#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <type_traits>

#include "dovetail/core/ops/random/random.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/random/random.h"
#include "dovetail/core/reference/random/streams.h"

namespace dovetail {
namespace {

// A number in [0, 1) out of one or two draws of 32 bits: as many of them as the
// mantissa stores (TensorFlow), or one more, the hidden bit (PyTorch), as a
// fraction.
template <typename T>
struct Unit;

template <>
struct Unit<float> {
  static float Tensorflow(RandomBits& bits) {
    return std::ldexp(static_cast<float>(bits.Next() & 0x7fffff), -23);
  }
  static float Pytorch(RandomBits& bits) {
    return std::ldexp(static_cast<float>(bits.Next() & 0xffffff), -24);
  }
};
template <>
struct Unit<Float16> {
  static float Tensorflow(RandomBits& bits) {
    return std::ldexp(static_cast<float>(bits.Next() & 0x3ff), -10);
  }
  static float Pytorch(RandomBits& bits) {
    return std::ldexp(static_cast<float>(bits.Next() & 0x7ff), -11);
  }
};
template <>
struct Unit<BFloat16> {
  static float Tensorflow(RandomBits& bits) {
    return std::ldexp(static_cast<float>(bits.Next() & 0x7f), -7);
  }
  static float Pytorch(RandomBits& bits) {
    return std::ldexp(static_cast<float>(bits.Next() & 0xff), -8);
  }
};
template <>
struct Unit<double> {
  static double Tensorflow(RandomBits& bits) {
    const uint64_t high = bits.Next() & 0xfffff;
    return std::ldexp(static_cast<double>(high << 32 | bits.Next()), -52);
  }
  static double Pytorch(RandomBits& bits) {
    const uint64_t high = bits.Next() & 0x1fffff;
    return std::ldexp(static_cast<double>(high << 32 | bits.Next()), -53);
  }
};

template <typename T>
absl::Status FillFloats(KernelContext& context, RandomAlignment alignment,
                        RandomBits& bits) {
  const T min = context.input(1).data<T>()[0];
  const T max = context.input(2).data<T>()[0];
  // Each step is rounded to T.
  const T extent(max - min);
  for (T& out : context.output(0).mutable_span<T>()) {
    const T unit(alignment == RandomAlignment::kTensorflow
                     ? Unit<T>::Tensorflow(bits)
                     : Unit<T>::Pytorch(bits));
    out = T(T(unit * extent) + min);
  }
  return absl::OkStatus();
}

// A draw modulo the size of the interval. i64 draws twice, in PyTorch's way
// only where the interval needs it. That, and f16 as such above, is the stream
// of the specification and of OpenVINO's reference; its CPU plugin draws i64 as
// i32 and f16 as f32, so that it gives other numbers.
template <typename T>
absl::Status FillIntegers(KernelContext& context, RandomAlignment alignment,
                          RandomBits& bits) {
  using U = std::make_unsigned_t<T>;
  const U min = static_cast<U>(context.input(1).data<T>()[0]);
  const U extent = static_cast<U>(context.input(2).data<T>()[0]) - min;
  const bool tensorflow = alignment == RandomAlignment::kTensorflow;
  const bool twice =
      sizeof(T) == 8 &&
      (tensorflow || extent > std::numeric_limits<uint32_t>::max());
  for (T& out : context.output(0).mutable_span<T>()) {
    uint64_t draw = bits.Next();
    if (twice) {
      const uint64_t second = bits.Next();
      draw = tensorflow ? second << 32 | draw : draw << 32 | second;
    }
    out = static_cast<T>(static_cast<U>(draw % extent) + min);
  }
  return absl::OkStatus();
}

uint64_t FreshSeed() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

// The stream of an alignment and two seeds; a new one each time for two zeros.
std::unique_ptr<RandomBits> MakeRandomBits(RandomAlignment alignment,
                                           uint64_t global_seed,
                                           uint64_t op_seed) {
  if (global_seed == 0 && op_seed == 0) global_seed = FreshSeed();
  if (alignment == RandomAlignment::kPytorch) {
    return std::make_unique<TwisterBits>(global_seed);
  }
  return std::make_unique<PhiloxBits>(global_seed, op_seed);
}

}  // namespace

absl::Status RandomUniformKernel(KernelContext& context) {
  const auto& attributes = context.attributes<RandomUniformAttributes>();
  const RandomAlignment alignment = attributes.alignment;
  const std::unique_ptr<RandomBits> bits = MakeRandomBits(
      alignment, attributes.global_seed, attributes.op_seed);
  const ElementType type = context.output(0).type();
  if (IsFloat(type)) {
    return DispatchFloat(type, context, [&](auto tag) {
      return FillFloats<typename decltype(tag)::type>(context, alignment,
                                                      *bits);
    });
  }
  return DispatchIndex(type, context, [&](auto tag) {
    return FillIntegers<typename decltype(tag)::type>(context, alignment,
                                                      *bits);
  });
}

}  // namespace dovetail
