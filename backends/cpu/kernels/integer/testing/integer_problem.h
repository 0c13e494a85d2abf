// Convolutions of integers against their definition.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_INTEGER_PROBLEM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_INTEGER_PROBLEM_H_

#include <cstdint>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "dovetail/backends/cpu/kernels/integer/testing/image_layout.h"
#include "dovetail/backends/cpu/kernels/integer/testing/random_epilogue.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::cpu {

struct IntegerCase {
  IntegerConvolutionShape shape;
  EpilogueCase epilogue;
  // Channels that lie side by side: see ImageLayout.
  int64_t input_block = kChannelBlock, output_block = kChannelBlock;
  // The input is of floats that the method quantizes, of up to 4 channels.
  bool of_floats = false;
  // Where not 0, one of so many weights may be any number, and the others are
  // up to 64.
  int rarity_of_great_weights = 0;
  // Of the input, as bytes without sign.
  int least_input = 0, greatest_input = 255;
};

// A convolution of random numbers; what is in padding channels of the input is
// random, too.
class IntegerProblem {
 public:
  // By channel, what makes the integers of floats.
  static constexpr float kScale[] = {30, 0.125f, 1, 7};
  static constexpr float kShift[] = {3, 0, -50, 0.75f};

  explicit IntegerProblem(const IntegerCase& c);

  // [outputs, inputs / groups, planes, rows, columns]
  const int8_t* weights() const { return weights_.data<int8_t>(); }

  // Fails the test where the method gives anything else. Runs it in two parts,
  // as two threads would.
  void Check(const IntegerMethod& method) const;

 private:
  int64_t taps() const;
  void MakeFloats();
  void LimitWeights();
  Tensor Run(const IntegerMethod& method) const;
  ImageLayout LayoutOf(int64_t channels, int64_t block,
                       int64_t WindowAxis::*extent) const;
  // A number of the input less the zero point; 0 around it.
  int64_t InputAt(const ImageLayout::Place& place) const;
  int64_t SumAt(const ImageLayout::Place& place) const;
  double ResultAt(int64_t index) const;

  const IntegerCase case_;
  const IntegerConvolutionShape& shape_ = case_.shape;
  const ImageLayout input_layout_, output_layout_;
  std::mt19937 generator_{5};
  const Tensor input_, weights_, residual_;
  std::vector<float> floats_;
  const RandomEpilogue epilogue_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_TESTING_INTEGER_PROBLEM_H_
