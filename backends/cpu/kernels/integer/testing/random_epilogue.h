// An epilogue of random numbers, and its results by definition.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_RANDOM_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_RANDOM_EPILOGUE_H_

#include <cstdint>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/integer/integer_epilogue.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

struct EpilogueCase {
  ElementType output_type = ElementType::kF32;
  bool has_slope = false, has_grid = false, has_residual = false;
  ElementType residual_type = ElementType::kF32;
  IntegerEpilogue::Activation activation = IntegerEpilogue::Activation::kNone;
};

class RandomEpilogue {
 public:
  // channels: of the output, whole blocks where the kernel stores blocks. taps:
  // how many products of bytes a sum has, so that results are some -3 to 3
  // before they become integers.
  RandomEpilogue(const EpilogueCase& c, int64_t channels, int64_t taps,
                 std::mt19937& generator);
  // The epilogue points to its numbers.
  RandomEpilogue(const RandomEpilogue&) = delete;
  RandomEpilogue& operator=(const RandomEpilogue&) = delete;

  const IntegerEpilogue& epilogue() const { return epilogue_; }

  // What becomes of a sum of a channel, before integers are rounded. residual:
  // as it is stored; does not matter where there is none.
  double Result(double sum, int64_t channel, double residual) const;
  // Whether a kernel may give `got` for it: near the middle of two integers it
  // may be either of them.
  bool IsResult(double got, double result) const;
  // The same, or what the other of two numbers of the grid gives.
  bool IsNearResult(double got, double result) const;

 private:
  double tolerance() const;
  void MakeNumbers(int64_t channels, int64_t taps, std::mt19937& generator);

  const EpilogueCase case_;
  std::vector<float> scale_, bias_, slope_, output_scale_, output_shift_;
  IntegerEpilogue epilogue_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_RANDOM_EPILOGUE_H_
