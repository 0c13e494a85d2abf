// --plugin and --extension: devices and operations that the program was built
// without.
#ifndef DOVETAIL_TOOLS_CLI_PLUGIN_OPTIONS_H_
#define DOVETAIL_TOOLS_CLI_PLUGIN_OPTIONS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/cli/arguments.h"

namespace dovetail::cli {

// --plugin=PATH, repeatable: a library, a folder of them, a name that is
// searched, or an OpenVINO plugins.xml.
extern const Flag kPluginFlag;

// --extension=FILE, repeatable: a library of operations.
extern const Flag kExtensionFlag;

// Loads plugins and extensions, in order; the first error, with its path.
absl::Status LoadPlugins(Core& core, const Arguments& arguments);
// The same for a program that goes on without those that cannot be loaded:
// their errors, by path.
std::map<std::string, absl::Status> TryLoadPlugins(Core& core,
                                                   const Arguments& arguments);

// The extensions that are there, with their operations, in lines for people.
std::string ExtensionsText(const Core& core);

}  // namespace dovetail::cli

#endif  // DOVETAIL_TOOLS_CLI_PLUGIN_OPTIONS_H_
