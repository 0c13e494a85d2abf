#include "dovetail/extensions/ir/reader/rt_info.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/document.h"

namespace dovetail::ir {
namespace {

absl::Status ReadTree(pugi::xml_node element, int depth, RtInfo* info);

// Names that cannot be XML tags are in <info name="…"/>.
std::string EntryName(pugi::xml_node element) {
  const std::string tag = element.name();
  const pugi::xml_attribute name = element.attribute("name");
  return tag == "info" && name ? name.value() : tag;
}

absl::Status ReadChildren(pugi::xml_node element, int depth, RtInfo* info) {
  for (pugi::xml_node child : element.children()) {
    if (child.type() != pugi::node_element) continue;
    DOVETAIL_RETURN_IF_ERROR(
        ReadTree(child, depth - 1, &info->children[EntryName(child)]));
  }
  return absl::OkStatus();
}

absl::Status ReadTree(pugi::xml_node element, int depth, RtInfo* info) {
  if (depth <= 0) {
    return InvalidArgument(LocationOf(element), ": rt_info is nested too deep");
  }
  if (const pugi::xml_attribute value = element.attribute("value")) {
    info->value = value.value();
  } else if (const auto unset = element.attribute("unset_cli_parameters")) {
    info->value = unset.value();
  } else {
    info->value = std::string(absl::StripAsciiWhitespace(
        absl::string_view(element.child_value())));
  }
  return ReadChildren(element, depth, info);
}

// The sections that became rt_info in version 11, under the names that they
// have there.
absl::Status ReadMetaData(pugi::xml_node net, int depth, RtInfo* info) {
  if (const pugi::xml_node meta = net.child("meta_data")) {
    DOVETAIL_RETURN_IF_ERROR(ReadChildren(meta, depth, info));
    const auto parameters = info->children.find("cli_parameters");
    if (parameters != info->children.end()) {
      info->children["conversion_parameters"] = std::move(parameters->second);
      info->children.erase("cli_parameters");
    }
  }
  if (const auto quantization = net.child("quantization_parameters")) {
    return ReadTree(quantization, depth, &info->children["optimization"]);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadRtInfo(pugi::xml_node owner, RtInfo* info) {
  for (pugi::xml_node xml : owner.child("rt_info").children("attribute")) {
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view name,
                              RequireText(xml, "name"));
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view version,
                              RequireText(xml, "version"));
    // Nothing that is known has any other kind of version.
    if (!std::all_of(version.begin(), version.end(), absl::ascii_isdigit)) {
      continue;
    }
    const bool has_version = !version.empty();
    const auto [entry, is_new] = info->children.emplace(
        has_version ? absl::StrCat(name, "_", version) : std::string(name),
        RtInfo());
    if (!is_new) {
      return InvalidArgument(LocationOf(xml), ": rt_info attribute '", name,
                             "' is there twice");
    }
    for (pugi::xml_attribute value : xml.attributes()) {
      const absl::string_view key = value.name();
      if (key == "name" || key == "version") continue;
      const bool is_own = key == "value" && !has_version;
      RtInfo& target = is_own ? entry->second
                              : entry->second.children[std::string(key)];
      target.value = value.value();
    }
  }
  return absl::OkStatus();
}

void ReadLegacyRtInfo(pugi::xml_node data, RtInfo* info) {
  if (const auto priority = data.attribute("PrimitivesPriority")) {
    info->Set({"primitives_priority_0", "value"}, priority.value());
  }
  if (const auto width = data.attribute("alt_width")) {
    info->Set({"alt_width"}, width.value());
  }
}

absl::Status ReadModelRtInfo(pugi::xml_node net, const ReadLimits& limits,
                             RtInfo* info) {
  const int depth = limits.max_rt_info_depth;
  if (const pugi::xml_node own = net.child("rt_info")) {
    return ReadChildren(own, depth, info);
  }
  return ReadMetaData(net, depth, info);
}

}  // namespace dovetail::ir
