// dovetail estimate in a build without the VPU's backend: says so.
#include <ostream>

#include "dovetail/core/base/status.h"
#include "dovetail/tools/cli/model_options.h"
#include "dovetail/tools/commands/commands.h"

namespace dovetail::cli {
namespace {

absl::StatusOr<int> Run(const Arguments&, std::ostream&) {
  return Unimplemented(
      "estimate: the backend for vision processors is left out of this build; "
      "build with --//backends:with_vpu=true");
}

}  // namespace

Command EstimateCommand() {
  return {"estimate", "MODEL",
          "says how long a vision processor would take (left out of this "
          "build)",
          WithModelFlags({}), &Run};
}

}  // namespace dovetail::cli
