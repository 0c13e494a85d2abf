// OpenVINO's plugins.xml: which plugin libraries a program loads, and what is
// set for their devices.
//
//   <ie>
//     <plugins>
//       <plugin name="CPU" location="lib/cpu_plugin.so">
//         <properties>
//           <property key="NUM_STREAMS" value="2"/>
//         </properties>
//         <extensions>
//           <extension location="lib/operations.so"/>
//         </extensions>
//       </plugin>
//     </plugins>
//   </ie>
#ifndef DOVETAIL_EXTENSIONS_PLUGINS_XML_PLUGINS_XML_H_
#define DOVETAIL_EXTENSIONS_PLUGINS_XML_PLUGINS_XML_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/properties/property.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail {

// One <plugin>.
struct PluginsXmlEntry {
  std::string name;  // of the device
  // From the folder of the file, where it is relative and there is such a file;
  // else as it stands there. "": the device is in the program already.
  std::string location;
  PropertyMap properties;
  std::vector<std::string> extensions;  // locations, as for the plugin
};

// kNotFound when there is no such file. kInvalidArgument, with the file, the
// place in it, element and attribute, for what is no such list: also for
// elements and attributes that it does not have, which would else be misspelt
// ones that nobody notices, and for a device that stands there twice.
absl::StatusOr<std::vector<PluginsXmlEntry>> ReadPluginsXml(
    const std::string& path);

// Loads the plugins of the file, adds their extensions, which are for all
// devices, and sets their properties in `core`. One that cannot be loaded,
// whose library has no device of that name, or that does not take a property,
// does not keep the others from it; the answer is the first error.
absl::Status LoadPluginsXml(Core& core, const std::string& path);

}  // namespace dovetail

#endif  // DOVETAIL_EXTENSIONS_PLUGINS_XML_PLUGINS_XML_H_
