#include "dovetail/extensions/ir/writer/rt_info_writer.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "dovetail/extensions/ir/writer/attributes_writer.h"

namespace dovetail::ir {
namespace {

// Whether it can be the name of an XML element or attribute; a bit stricter
// than XML, which also allows many letters beyond ASCII.
bool IsXmlName(absl::string_view name) {
  return !name.empty() &&
         (absl::ascii_isalpha(name[0]) || name[0] == '_') &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
         });
}

// "fused_names_0" is version "0" of "fused_names"; other keys have none.
struct VersionedName {
  absl::string_view name, version;
};

VersionedName SplitVersion(absl::string_view key) {
  const size_t bar = key.rfind('_');
  if (bar == absl::string_view::npos) return {key, ""};
  const absl::string_view version = key.substr(bar + 1);
  const bool is_number =
      !version.empty() &&
      std::all_of(version.begin(), version.end(),
                  [](char c) { return absl::ascii_isdigit(c); });
  if (!is_number) return {key, ""};
  return {key.substr(0, bar), version};
}

void WriteEntry(absl::string_view key, const RtInfo& entry,
                pugi::xml_node rt_info) {
  // What has a text of its own never had a version.
  const VersionedName split =
      entry.value.empty() ? SplitVersion(key) : VersionedName{key, ""};
  pugi::xml_node attribute = rt_info.append_child("attribute");
  SetText(attribute, "name", split.name);
  SetText(attribute, "version", split.version);
  if (!entry.value.empty()) SetText(attribute, "value", entry.value);
  for (const auto& [name, child] : entry.children) {
    if (IsXmlName(name) && name != "name" && name != "version") {
      SetText(attribute, name, child.value);
    }
  }
}

void WriteTree(const std::string& key, const RtInfo& info,
               pugi::xml_node parent) {
  const bool is_tag = IsXmlName(key);
  pugi::xml_node element = parent.append_child(is_tag ? key.c_str() : "info");
  if (!is_tag) SetText(element, "name", key);
  if (!info.value.empty() || info.children.empty()) {
    SetText(element, "value", info.value);
  }
  for (const auto& [name, child] : info.children) {
    WriteTree(name, child, element);
  }
}

}  // namespace

void WriteRtInfo(const RtInfo& info, pugi::xml_node owner) {
  if (info.children.empty()) return;
  pugi::xml_node rt_info = owner.append_child("rt_info");
  for (const auto& [key, entry] : info.children) {
    WriteEntry(key, entry, rt_info);
  }
}

void WriteModelRtInfo(const RtInfo& info, pugi::xml_node net) {
  pugi::xml_node rt_info = net.append_child("rt_info");
  for (const auto& [key, child] : info.children) {
    WriteTree(key, child, rt_info);
  }
}

}  // namespace dovetail::ir
