#include "dovetail/tools/cli/plugin_options.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/plugins_xml/plugins_xml.h"

namespace dovetail::cli {
namespace {

absl::Status LoadOne(Core& core, const std::string& path) {
  const absl::Status loaded = absl::EndsWithIgnoreCase(path, ".xml")
                                  ? LoadPluginsXml(core, path)
                                  : core.LoadPlugin(path);
  return Annotate(loaded, absl::StrCat("--plugin=", path));
}

absl::Status AddOne(Core& core, const std::string& path) {
  return Annotate(core.AddExtension(path), absl::StrCat("--extension=", path));
}

}  // namespace

const Flag kPluginFlag = {
    "plugin", "PATH",
    "loads devices: a .so, a folder of them, or a plugins.xml", true};

const Flag kExtensionFlag = {"extension", "FILE",
                             "adds operations: a .so of them", true};

absl::Status LoadPlugins(Core& core, const Arguments& arguments) {
  for (const std::string& path : arguments.GetAll("plugin")) {
    DOVETAIL_RETURN_IF_ERROR(LoadOne(core, path));
  }
  for (const std::string& path : arguments.GetAll("extension")) {
    DOVETAIL_RETURN_IF_ERROR(AddOne(core, path));
  }
  return absl::OkStatus();
}

std::map<std::string, absl::Status> TryLoadPlugins(Core& core,
                                                   const Arguments& arguments) {
  std::map<std::string, absl::Status> errors;
  for (const std::string& path : arguments.GetAll("plugin")) {
    const absl::Status loaded = LoadOne(core, path);
    if (!loaded.ok()) errors[path] = loaded;
  }
  for (const std::string& path : arguments.GetAll("extension")) {
    const absl::Status added = AddOne(core, path);
    if (!added.ok()) errors[path] = added;
  }
  return errors;
}

std::string ExtensionsText(const Core& core) {
  std::string text;
  for (const ExtensionInfo& info : core.Extensions()) {
    absl::StrAppend(
        &text, "extension ", info.name, "  ", info.description, "\n  build ",
        info.build, info.library.empty() ? "" : "; from ", info.library,
        "\n  operations: ", absl::StrJoin(info.operations, ", "), "\n");
  }
  return text;
}

}  // namespace dovetail::cli
