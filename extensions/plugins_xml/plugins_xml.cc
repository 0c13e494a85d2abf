#include "dovetail/extensions/plugins_xml/plugins_xml.h"

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/memory/mapped_file.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "pugixml.hpp"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

using Words = std::initializer_list<absl::string_view>;

bool IsOneOf(absl::string_view word, Words words) {
  for (absl::string_view known : words) {
    if (word == known) return true;
  }
  return false;
}

std::string Listed(Words words) {
  return words.size() == 0 ? "none" : absl::StrJoin(words, ", ");
}

// Whether the element has only attributes and elements of these names, and no
// text.
absl::Status CheckParts(pugi::xml_node element, Words attributes,
                        Words children) {
  for (const pugi::xml_attribute& attribute : element.attributes()) {
    if (IsOneOf(attribute.name(), attributes)) continue;
    return InvalidArgument(ir::LocationOf(element), " has an attribute '",
                           attribute.name(), "'; it takes ",
                           Listed(attributes));
  }
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() != pugi::node_element) {
      return InvalidArgument(ir::LocationOf(element), " has text in it");
    }
    if (IsOneOf(child.name(), children)) continue;
    return InvalidArgument(ir::LocationOf(child), " cannot stand in <",
                           element.name(), ">; it takes ", Listed(children));
  }
  return absl::OkStatus();
}

// An attribute that is not empty.
absl::StatusOr<std::string> Require(pugi::xml_node element,
                                    const char* attribute) {
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view text,
                            ir::RequireText(element, attribute));
  if (!text.empty()) return std::string(text);
  return InvalidArgument(ir::LocationOf(element), ": attribute '", attribute,
                         "' is empty");
}

// A location as a user of the file means it.
std::string Resolve(const std::string& location, const fs::path& folder) {
  const fs::path beside = folder / location;  // `location`, when absolute
  std::error_code error;
  return fs::exists(beside, error) ? beside.string() : location;
}

absl::Status ReadProperties(pugi::xml_node list, PropertyMap& properties) {
  DOVETAIL_RETURN_IF_ERROR(CheckParts(list, {}, {"property"}));
  for (const pugi::xml_node& property : list.children()) {
    DOVETAIL_RETURN_IF_ERROR(CheckParts(property, {"key", "value"}, {}));
    DOVETAIL_ASSIGN_OR_RETURN(const std::string key, Require(property, "key"));
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view value,
                              ir::RequireText(property, "value"));
    if (!properties.emplace(key, std::string(value)).second) {
      return InvalidArgument(ir::LocationOf(property), ": key '", key,
                             "' is given twice");
    }
  }
  return absl::OkStatus();
}

absl::Status ReadExtensions(pugi::xml_node list, const fs::path& folder,
                            std::vector<std::string>& extensions) {
  DOVETAIL_RETURN_IF_ERROR(CheckParts(list, {}, {"extension"}));
  for (const pugi::xml_node& extension : list.children()) {
    DOVETAIL_RETURN_IF_ERROR(CheckParts(extension, {"location"}, {}));
    DOVETAIL_ASSIGN_OR_RETURN(const std::string location,
                              Require(extension, "location"));
    extensions.push_back(Resolve(location, folder));
  }
  return absl::OkStatus();
}

absl::StatusOr<PluginsXmlEntry> ReadPlugin(pugi::xml_node plugin,
                                           const fs::path& folder) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckParts(plugin, {"name", "location"}, {"properties", "extensions"}));
  PluginsXmlEntry entry;
  DOVETAIL_ASSIGN_OR_RETURN(entry.name, Require(plugin, "name"));
  if (plugin.attribute("location")) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string location,
                              Require(plugin, "location"));
    entry.location = Resolve(location, folder);
  }
  for (const pugi::xml_node& list : plugin.children()) {
    const bool of_properties = absl::string_view(list.name()) == "properties";
    DOVETAIL_RETURN_IF_ERROR(
        of_properties ? ReadProperties(list, entry.properties)
                      : ReadExtensions(list, folder, entry.extensions));
  }
  return entry;
}

absl::StatusOr<std::vector<PluginsXmlEntry>> ReadRoot(pugi::xml_node root,
                                                      const fs::path& folder) {
  if (absl::string_view(root.name()) != "ie") {
    return InvalidArgument("the root is <", root.name(), ">, not <ie>");
  }
  DOVETAIL_RETURN_IF_ERROR(CheckParts(root, {}, {"plugins"}));
  std::vector<PluginsXmlEntry> entries;
  for (const pugi::xml_node& plugins : root.children()) {
    DOVETAIL_RETURN_IF_ERROR(CheckParts(plugins, {}, {"plugin"}));
    for (const pugi::xml_node& plugin : plugins.children()) {
      DOVETAIL_ASSIGN_OR_RETURN(PluginsXmlEntry entry,
                                ReadPlugin(plugin, folder));
      for (const PluginsXmlEntry& other : entries) {
        if (other.name != entry.name) continue;
        return InvalidArgument(ir::LocationOf(plugin), ": device '", entry.name,
                               "' is there twice");
      }
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

absl::Status LoadEntry(Core& core, const PluginsXmlEntry& entry) {
  if (!entry.location.empty()) {
    DOVETAIL_RETURN_IF_ERROR(core.LoadPlugin(entry.location));
  }
  DOVETAIL_RETURN_IF_ERROR(
      Annotate(core.Version(entry.name).status(),
               absl::StrCat("after '", entry.location, "' was loaded")));
  for (const std::string& library : entry.extensions) {
    DOVETAIL_RETURN_IF_ERROR(core.AddExtension(library));
  }
  for (const auto& [key, value] : entry.properties) {
    DOVETAIL_RETURN_IF_ERROR(core.SetProperty(entry.name, key, value));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<PluginsXmlEntry>> ReadPluginsXml(
    const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  const std::string text(static_cast<const char*>(file->data()), file->size());
  const auto document = ir::Document::Parse(text);
  if (!document.ok()) {
    return Annotate(document.status(), absl::StrCat("'", path, "'"));
  }
  auto entries = ReadRoot((*document)->root(), fs::path(path).parent_path());
  if (entries.ok()) return entries;
  return Annotate(entries.status(), absl::StrCat("'", path, "'"));
}

absl::Status LoadPluginsXml(Core& core, const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<PluginsXmlEntry> entries,
                            ReadPluginsXml(path));
  absl::Status first;
  for (const PluginsXmlEntry& entry : entries) {
    first.Update(
        Annotate(LoadEntry(core, entry),
                 absl::StrCat("'", path, "': <plugin> '", entry.name, "'")));
  }
  return first;
}

}  // namespace dovetail
