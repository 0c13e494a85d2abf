// The text of a kernel: its arguments, and then its body.
//
//   KernelWriter kernel;
//   kernel.Input("x", "float");
//   kernel.Output("y", "float");
//   kernel.Int("count");
//   kernel.Body("const int i = get_global_id(0);\n"
//               "if (i < count) y[i] = fabs(x[i]);\n");
//
// A buffer is an argument of two: the memory object, and the number of elements
// before the first one, as tensors lie in an arena that is one object. The body
// has a pointer to the first element. Numbers go kNumbersTogether at a time.
// Sizes belong into arguments, so that one kernel serves all shapes: text that
// differs is compiled again, for some 100 ms.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_KERNEL_WRITER_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_KERNEL_WRITER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/gpu/program/kernel_source.h"

namespace dovetail::gpu {

class KernelWriter {
 public:
  // ---- Arguments, in the order in which a launch gives them: first inputs,
  // ---- then outputs, scratch memory, and numbers.

  // `type` is OpenCL C's (types.h).
  void Input(absl::string_view name, absl::string_view type);
  void Output(absl::string_view name, absl::string_view type);
  // Memory that only this launch uses.
  void Scratch(absl::string_view name, absl::string_view type) {
    Output(name, type);
  }
  // The body may call report_fault(faults, index, extent), where the data has
  // an index that is outside of an axis of so many elements: the inference then
  // ends with an error that says so. Behind all other buffers.
  void Faults();
  void Int(absl::string_view name);
  void Float(absl::string_view name);

  // ---- Text ----

  // The size of work-groups; not called: the driver chooses.
  void Group(int x, int y = 1, int z = 1);
  // What stands before the kernel and is there once a program, such as a
  // function; equal texts are one.
  void Helper(absl::string_view text);
  // Appends to the body.
  void Body(absl::string_view text);

  KernelSource Source() const;

 private:
  struct Number {
    bool is_float;
    std::string name;
  };

  void Buffer(absl::string_view name, absl::string_view type,
              absl::string_view access);
  std::string AddNumbers(std::vector<std::string>& arguments) const;

  std::vector<std::string> arguments_, buffer_types_, helpers_;
  std::vector<Number> numbers_;
  bool reports_faults_ = false;
  std::string attributes_, pointers_, body_;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_KERNEL_WRITER_H_
