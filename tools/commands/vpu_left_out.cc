// dovetail estimate and compile-kernel in a build without the VPU's backend: they
// say so.
#include <ostream>

#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

absl::Status LeftOut(absl::string_view command) {
  return Unimplemented(
      command,
      ": the backend for vision processors is left out of this build; build "
      "with --//backends:with_vpu=true");
}

}  // namespace

Command EstimateCommand() {
  return {"estimate", "MODEL",
          "says how long a vision processor would take (left out of this "
          "build)",
          WithModelFlags({}),
          [](const Arguments&, std::ostream&) -> absl::StatusOr<int> {
            return LeftOut("estimate");
          }};
}

Command CompileKernelCommand() {
  return {"compile-kernel",
          "FILE.cl",
          "compiles a custom kernel of a vision processor (left out of this "
          "build)",
          {},
          [](const Arguments&, std::ostream&) -> absl::StatusOr<int> {
            return LeftOut("compile-kernel");
          }};
}

}  // namespace dovetail::cli
