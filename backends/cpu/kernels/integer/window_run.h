// A part of what an output of a convolution of integers is a sum of.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINDOW_RUN_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINDOW_RUN_H_

#include <cstdint>

namespace dovetail::cpu {

// Some numbers that lie one behind the other.
struct WindowRun {
  int32_t data = 0;     // from a pixel's data to the first one
  int32_t weights = 0;  // which of a panel's runs of weights
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINDOW_RUN_H_
