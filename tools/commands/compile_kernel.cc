// dovetail compile-kernel: a kernel for a vision processor, compiled before its
// layer.
#include "dovetail/backends/vpu/custom/compile_kernel.h"

#include <string>

#include "dovetail/core/base/status.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/cli/output/text_file.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

absl::StatusOr<int> Run(const Arguments& arguments, std::ostream& out) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string path,
                            OnlyOperand(arguments, "source"));
  const std::string target = arguments.Get("output");
  if (target.empty()) {
    return InvalidArgument("no -o FILE, where the compiled kernel goes");
  }
  DOVETAIL_ASSIGN_OR_RETURN(const vpu::CompiledKernel kernel,
                            vpu::CompileKernel(path, arguments.Get("entry")));
  DOVETAIL_RETURN_IF_ERROR(WriteText(kernel.file, target));
  out << target << "  kernel " << kernel.entry << "(";
  const char* separator = "";
  for (const std::string& parameter : kernel.parameters) {
    out << separator << parameter;
    separator = ", ";
  }
  out << ")  " << kernel.file.size() << " bytes\n";
  return kDone;
}

}  // namespace

Command CompileKernelCommand() {
  return {"compile-kernel",
          "FILE.cl",
          "compiles a custom kernel of a vision processor; a configuration "
          "takes the file in place of the source",
          {{"output", "FILE", "where the compiled kernel goes (required)",
            false, "o"},
           {"entry", "NAME", "the kernel, where the source has several"}},
          &Run};
}

}  // namespace dovetail::cli
