#include "dovetail/backends/vpu/custom/compile_kernel.h"

#include <memory>
#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/backends/vpu/custom/shave/shave_program.h"
#include "dovetail/backends/vpu/custom/source/signature.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/includes.h"
#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"
#include "dovetail/extensions/custom_kernels/shave/shave_layer.h"
#include "dovetail/extensions/custom_kernels/source_file.h"

namespace dovetail::vpu {
namespace {

absl::StatusOr<CustomSource> ReadSource(const std::string& path) {
  CustomSource source;
  source.name = path;
  DOVETAIL_ASSIGN_OR_RETURN(source.text, ReadSourceFile(path));
  if (IsShaveKernelFile(source.text)) {
    return InvalidArgument(path, " is a compiled kernel already");
  }
  IncludeInliner includes(&ReadSourceFile, /*leaves_missing=*/false);
  DOVETAIL_RETURN_IF_ERROR(includes.Inline(source));
  return source;
}

absl::StatusOr<std::string> OnlyKernel(const CustomSource& source) {
  const std::vector<std::string> kernels = KernelNames(source.text);
  if (kernels.size() == 1) return kernels[0];
  if (kernels.empty()) {
    return InvalidArgument(source.name, " has no function '__kernel void …'");
  }
  return InvalidArgument(source.name, " has several kernels, ",
                         absl::StrJoin(kernels, ", "),
                         "; give --entry with the one to compile");
}

}  // namespace

absl::StatusOr<CompiledKernel> CompileKernel(const std::string& path,
                                             const std::string& entry) {
  ShaveKernel kernel;
  DOVETAIL_ASSIGN_OR_RETURN(CustomSource source, ReadSource(path));
  kernel.entry = entry;
  if (entry.empty()) {
    DOVETAIL_ASSIGN_OR_RETURN(kernel.entry, OnlyKernel(source));
  }
  kernel.sources.push_back(std::move(source));
  const auto program = ShaveProgram::Build(kernel);
  if (!program.ok()) return Annotate(program.status(), path);
  CompiledKernel compiled;
  compiled.entry = kernel.entry;
  compiled.parameters = (*program)->parameters();
  DOVETAIL_ASSIGN_OR_RETURN(compiled.file, (*program)->File());
  return compiled;
}

}  // namespace dovetail::vpu
