// Operations of extensions that a device does better as others.
#ifndef DOVETAIL_CORE_PLUGIN_DECOMPOSE_EXTENSIONS_H_
#define DOVETAIL_CORE_PLUGIN_DECOMPOSE_EXTENSIONS_H_

#include "absl/status/status.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

// Puts other operations in the place of those of extensions that say how, where
// the device cannot run them or would leave them to the host beside it; bodies
// included. To be called before the device's own passes.
absl::Status DecomposeExtensions(const Plugin& plugin, Model& model,
                                 const PluginCall& call);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_DECOMPOSE_EXTENSIONS_H_
