// Options of the driver's compiler.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_BUILD_OPTIONS_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_BUILD_OPTIONS_H_

#include <string>

namespace dovetail::gpu {

struct BuildOptions {
  // -cl-mad-enable leaves NaN and infinity as IEEE 754 has them, which
  // -cl-fast-relaxed-math and -cl-finite-math-only do not.
  // Denormal numbers take processors some hundred times as long as others.
  std::string flags = "-cl-std=CL1.2 -cl-mad-enable -cl-denorms-are-zero";
  // A driver's price of a program is tens of milliseconds, so there are few;
  // some compilers of small GPUs do not take many kernels at once.
  int max_kernels_per_program = 32;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_BUILD_OPTIONS_H_
