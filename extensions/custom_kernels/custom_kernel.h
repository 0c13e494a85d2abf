// Kernels of a user's own, as a configuration describes them.
#ifndef DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_CUSTOM_KERNEL_H_
#define DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_CUSTOM_KERNEL_H_

#include <string>
#include <vector>

namespace dovetail {

// A file of OpenCL C.
struct CustomSource {
  std::string name;  // as messages of the compiler give it
  std::string text;  // with the files that it includes in quotes
  // Where those files are, or were looked for in vain: paths like `name`. Not
  // in exports.
  std::vector<std::string> includes;
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
  // Internal ones are memory of the device that only one launch uses, local
  // ones memory of a work group.
  enum class Kind { kInput, kOutput, kInternal, kLocal };
  Kind kind = Kind::kInput;
  int arg_index = 0;   // position among the kernel's arguments
  int port_index = 0;  // of the operation: of inputs and outputs
  CustomFormat format = CustomFormat::kBfyx;
  // Of internal and local ones: an expression (size_expression.h) of elements,
  // and OpenCL C's name of their type; empty: that of input 0.
  std::string size;
  std::string element_type;
};

// A number as an argument.
struct CustomScalar {
  int arg_index = 0;
  std::string type;   // OpenCL C's: "float", "uint"
  std::string param;  // the attribute; empty: the value counts
  int element = -1;   // of a list; -1: the attribute is none
  // Where the operation has no such attribute: a number, or an expression.
  std::string value;
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
  // In place of sources: what a driver's compiler has made, for that driver
  // alone. Without text there is none.
  CustomSource binary;
  std::vector<CustomDefine> defines;
  std::vector<CustomTensor> tensors;
  std::vector<CustomScalar> scalars;
  std::string compiler_options;
  CustomWorkSizes work_sizes;
  std::string where;  // "kernels.xml:12", for messages
};

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_CUSTOM_KERNELS_CUSTOM_KERNEL_H_
