// Tells the registry of the program which devices the build left out. Linking
// this has that effect at start-up; left_out.h alone has none.

#include "dovetail/backends/left_out.h"
#include "dovetail/core/plugin/registry.h"

namespace dovetail {
namespace {

const bool registered = [] {
  for (const LeftOutBackend& backend : LeftOutBackends()) {
    PluginRegistry::Global().RegisterLeftOut(
        backend.device, std::string("build with ") + backend.flag);
  }
  return true;
}();

}  // namespace
}  // namespace dovetail
