// The common part of the methods of convolving integers.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_PLANNED_METHOD_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_PLANNED_METHOD_H_

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/kernels/integer/tile_axis.h"

namespace dovetail::cpu {

// A method that follows a plan, which says how many work items it has, how many
// weights of 16 bits, and what a thread needs. `PackIntegerWeights(plan,
// weights, packed)` writes the weights over zeros.
template <class Plan>
class PlannedIntegerMethod : public IntegerMethod {
 public:
  PlannedIntegerMethod(const IntegerConvolutionShape& shape, int threads)
      : plan_(shape, threads) {}

  int64_t weights_bytes() const final {
    return plan_.weight_elements() * static_cast<int64_t>(sizeof(int16_t));
  }
  void PackWeights(const int8_t* weights, void* packed) const final {
    int16_t* const numbers = static_cast<int16_t*>(packed);
    std::fill_n(numbers, plan_.weight_elements(), int16_t{0});
    PackIntegerWeights(plan_, weights, numbers);
  }
  int64_t work_item_count() const final { return plan_.work_item_count(); }
  int64_t scratch_bytes() const final {
    return DivideUp(plan_.scratch_bytes(), kAlignment) * kAlignment;
  }

 protected:
  const Plan plan_;

 private:
  static constexpr int64_t kAlignment = 64;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_PLANNED_METHOD_H_
