// Tells the program's registry which devices the build left out. Linking this
// has that effect at start-up; left_out.h alone has none.

#include "absl/strings/str_cat.h"
#include "dovetail/backends/left_out.h"
#include "dovetail/core/plugin/registry/registry.h"

namespace dovetail {
namespace {

bool RegisterAllLeftOut() {
  for (const LeftOutBackend& backend : LeftOutBackends()) {
    PluginRegistry::Global().RegisterLeftOut(
        backend.device, absl::StrCat("build with ", backend.flag));
  }
  return true;
}

const bool registered = RegisterAllLeftOut();

}  // namespace
}  // namespace dovetail
