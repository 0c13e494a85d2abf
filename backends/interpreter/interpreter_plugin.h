// The device "REFERENCE", also called "TEMPLATE": runs a model node by node
// with the reference kernels of core. It is slow and right: what other devices
// are compared with.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_PLUGIN_H_
#define DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_PLUGIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Linking this has no effect; linking :registration adds it to the registry.
absl::StatusOr<std::unique_ptr<Plugin>> MakeInterpreterPlugin();

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_PLUGIN_H_
