// One kernel as text, before it shares a program with others.
#ifndef DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_SOURCE_H_
#define DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_SOURCE_H_

#include <string>
#include <vector>

namespace dovetail::gpu {

// Numbers are arguments of type int16 each, the bits of floats too, and zeros
// after the last one: PoCL needs 2 us less for a launch of 28 numbers so. A
// user's kernel has the arguments that it has.
inline constexpr int kNumbersTogether = 16;

struct KernelSource {
  // OpenCL C of one kernel, whose name is written KERNEL_NAME. That word is
  // replaced wherever it stands, also at the beginning or the end of another:
  // macros and functions of the kernel's own are called KERNEL_NAME_TILE and
  // the like, so that two kernels of a program do not meet.
  std::string text;
  // What the kernel needs and others may need, too: functions, macros, pragmas.
  // Equal texts stand once in a program, before all kernels, in the order in
  // which they are first needed.
  std::vector<std::string> helpers;
  // What the kernel's own name begins with, for messages and profilers: an
  // identifier of OpenCL C. Of no influence on what is the same kernel.
  std::string name = "kernel";
  // Not empty: a user's, whose function has this name, in a program of its own,
  // with these options of the compiler besides, in which a -cl-std goes before
  // the usual one. `text` is the whole program; or `binary` is, as a driver
  // gives it. `origin` begins messages about it.
  std::string entry;
  std::string flags;
  std::string binary;
  std::string origin;

  // Of a text of KernelWriter's, whose arguments are pairs of a buffer and an
  // int, and then vectors of numbers: types of the buffers' elements, "const "
  // before those that it reads; how many vectors there are. Such a text uses
  // no local memory. Empty: of any other text.
  std::vector<std::string> buffer_types;
  int number_vectors = 0;
  // Whether the last of these buffers is where the kernel says what is wrong
  // with its data, see KernelWriter::Faults.
  bool reports_faults = false;

  bool is_alone() const { return !entry.empty(); }
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_PROGRAM_KERNEL_SOURCE_H_
