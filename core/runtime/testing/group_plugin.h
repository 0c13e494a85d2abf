// A device made of others, for tests of what Host does for such devices. It
// computes by the first of them: "GROUP:TOY.1,TOY.0".
#ifndef DOVETAIL_CORE_RUNTIME_TESTING_GROUP_PLUGIN_H_
#define DOVETAIL_CORE_RUNTIME_TESTING_GROUP_PLUGIN_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/registry/registry.h"

namespace dovetail {

// Shared by the test and the plugin; to be set before it is used.
struct Group {
  std::string name = "GROUP";
  // Exports its parts, as HETERO does; else the cache is the parts' own matter,
  // as for MULTI.
  bool cached_as_a_whole = false;
  // Compiles all parts but the first in a thread of its own, which begins with
  // this; as AUTO does. Empty: does not.
  std::function<void()> background;
  int compiled = 0;  // how often that was done
};

struct GroupPart {
  std::string device;
  absl::StatusOr<std::shared_ptr<const Executable>> executable;
};

// Its keys are MULTI_DEVICE_PRIORITIES, those of the cache and NUMBER, which,
// when they are set, it hands to its parts, but for the cache if it is cached
// as a whole. Its metric OPTIMIZATION_CAPABILITIES has the devices that there
// are, DEVICE_ARCHITECTURE is that of the first one.
absl::Status RegisterGroup(PluginRegistry& registry,
                           std::shared_ptr<Group> group);

// The parts of a model that a group has compiled, once they all are.
const std::vector<GroupPart>& PartsOf(const Executable& executable);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_RUNTIME_TESTING_GROUP_PLUGIN_H_
