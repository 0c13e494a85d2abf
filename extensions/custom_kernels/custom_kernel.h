// Kernels of a user's own, as a configuration describes them.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_CUSTOM_KERNEL_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_CUSTOM_KERNEL_H_

#include <string>
#include <vector>

namespace dovetail {

// A file of OpenCL C.
struct CustomSource {
  std::string name;  // as messages of the compiler give it
  std::string text;
};

// A macro whose value is an attribute of the operation.
struct CustomDefine {
  std::string name;
  std::string param;     // the attribute; empty: the value is the default
  std::string fallback;  // where the operation has no such attribute
  std::string type;      // "int[]" and "float[]" make an array of it
};

enum class CustomFormat { kBfyx, kByxf, kFyxb, kYxfb, kAny };

struct CustomTensor {
  enum class Kind { kInput, kOutput };
  Kind kind = Kind::kInput;
  int arg_index = 0;   // position among the kernel's arguments
  int port_index = 0;  // of the operation
  CustomFormat format = CustomFormat::kBfyx;
};

// How many work items there are.
struct CustomWorkSizes {
  int input = -1;  // whose sizes B, F, Y and X are; -1: those of output 0
  // Expressions (size_expression.h), at most three. Empty: one work item an
  // element of output 0, and groups as the driver likes.
  std::vector<std::string> global, local;
};

struct CustomKernel {
  std::string layer;  // type of the operation that it computes
  std::string entry;  // name of the kernel's function
  std::vector<CustomSource> sources;
  std::vector<CustomDefine> defines;
  std::vector<CustomTensor> tensors;
  std::string compiler_options;
  CustomWorkSizes work_sizes;
  std::string where;  // "kernels.xml:12", for messages
};

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_CUSTOM_KERNEL_H_
