// Weights for RunDotRow.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_WEIGHTS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_WEIGHTS_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_lanes.h"

namespace dovetail::cpu {

// Where what lies in packed weights of `outputs` channels, whose windows are
// `products` times four bytes: first the sums to begin with, then [group]
// [product][channel of the group][4].
struct DotWeights {
  int64_t outputs, products;

  int64_t groups() const {
    return (outputs + kDotGroup - 1) / kDotGroup;
  }
  int64_t vectors() const {
    return (outputs + kDotLanes - 1) / kDotLanes;
  }
  // Channels of whole vectors.
  int64_t lanes(int64_t group) const {
    return std::min(kDotVectors, vectors() - group * kDotVectors) * kDotLanes;
  }
  int64_t bytes() const { return vectors() * kDotLanes * 4 * (1 + products); }

  template <typename Byte>  // char or const char
  auto* FirstSums(Byte* packed, int64_t group) const {
    using Sum =
        std::conditional_t<std::is_const_v<Byte>, const int32_t, int32_t>;
    return reinterpret_cast<Sum*>(packed) + group * kDotGroup;
  }
  template <typename Byte>
  auto* Weights(Byte* packed, int64_t group) const {
    using Weight =
        std::conditional_t<std::is_const_v<Byte>, const int8_t, int8_t>;
    return reinterpret_cast<Weight*>(packed) +
           (vectors() + group * kDotVectors * products) * kDotLanes * 4;
  }

  // Writes a weight over zeros: number `i` of the four of `product`. `zero` is
  // the unsigned number that stands for 0.
  void Put(int64_t output, int64_t product, int64_t i, int8_t weight,
           int32_t zero, char* packed) const {
    const int64_t group = output / kDotGroup, lane = output % kDotGroup;
    Weights(packed, group)[(product * lanes(group) + lane) * 4 + i] = weight;
    FirstSums(packed, group)[lane] -= zero * weight;
  }
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_WEIGHTS_H_
