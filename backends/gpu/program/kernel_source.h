// The text of a kernel before it is part of a program.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_SOURCE_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_SOURCE_H_

#include <string>
#include <vector>

namespace dovetail::gpu {

struct KernelSource {
  // What stands before it, once a program: functions, macros.
  std::vector<std::string> helpers;
  // One function, which is called KERNEL_NAME; the program gives it a name of
  // its own.
  std::string text;

  friend bool operator==(const KernelSource&, const KernelSource&) = default;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_SOURCE_H_
