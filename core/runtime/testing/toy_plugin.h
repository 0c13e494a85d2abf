// A plugin for tests of what stands between a user and plugins: it says of
// itself what a test wants, counts what is asked of it, and computes next to
// nothing.
#ifndef DOVETAIL_CORE_RUNTIME_TESTING_TOY_PLUGIN_H_
#define DOVETAIL_CORE_RUNTIME_TESTING_TOY_PLUGIN_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/registry/registry.h"

namespace dovetail {

// Shared by the test and the plugin; to be set before it is used.
struct Toy {
  std::string name = "TOY";
  std::string architecture = "wood";
  absl::StatusOr<std::vector<Device>> devices =
      std::vector<Device>{{"0", "First toy"}, {"1", "Second toy"}};
  bool can_export = true;
  int priority = 0;
  std::string identity;  // for the cache
  std::string refused_type;  // operations of this type it cannot run

  std::string mood = "GOOD";  // a key of its compiled models, MOOD
  int compiled = 0;  // how often that was done
  int imported = 0;
};

// What it runs: output i is input i times NUMBER (a property, 2 by default) of
// the small model of core/graph/testing; see SmallTestModel there. Its keys are
// NUMBER (once OLD_NUMBER), SWITCH, those of the cache, PERF_COUNT, INFERENCE_PRECISION_HINT (it
// does nothing) and those of any device.
absl::Status RegisterToy(PluginRegistry& registry, std::shared_ptr<Toy> toy);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_TESTING_TOY_PLUGIN_H_
