#include "dovetail/testing/one_process/cpu_here.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/testing/shared_files.h"

namespace dovetail {

void BringCpuHere() {
  const std::string library = DOVETAIL_TEST_LIBRARY;
  if (library.empty()) return;
  const absl::Status loaded =
      PluginRegistry::Global().Load(RunfilePath(library));
  if (loaded.ok()) return;
  std::fprintf(stderr, "%s\n", loaded.ToString().c_str());
  std::abort();
}

}  // namespace dovetail
