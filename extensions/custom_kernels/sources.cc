#include <memory>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/reader.h"
#include "dovetail/extensions/custom_kernels/xml_elements.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "pugixml.hpp"

namespace dovetail {
namespace {

// All the text in an element, which sections of CDATA may divide.
std::string TextIn(pugi::xml_node element) {
  std::string text;
  for (const pugi::xml_node& child : element.children()) {
    text += child.value();
  }
  return text;
}

absl::StatusOr<std::string> TextOf(const XmlElements& places,
                                   pugi::xml_node element) {
  std::string text = TextIn(element);
  const absl::string_view encoding = element.attribute("encoding").value();
  if (encoding.empty()) return text;
  std::string decoded;
  if (encoding != "base64") {
    return places.Problem(element, "attribute encoding=\"", encoding,
                          "\"; only \"base64\" is known");
  }
  if (absl::Base64Unescape(text, &decoded)) return decoded;
  return places.Problem(element, "what is in it is not of base64");
}

// What XML has no characters for.
bool IsText(absl::string_view bytes) {
  for (const char c : bytes) {
    const bool is_space = c == '\n' || c == '\t';
    if (static_cast<unsigned char>(c) < ' ' && !is_space) return false;
    if (static_cast<unsigned char>(c) >= 0x7f) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> ParseSources(
    absl::string_view xml, const std::string& name) {
  std::map<std::string, std::string> sources;
  if (xml.empty()) return sources;
  auto document = ir::Document::Parse(std::string(xml));
  if (!document.ok()) {
    return InvalidArgument(name, ": ", document.status().message(),
                           "; want <Source filename=\"...\"> elements");
  }
  const XmlElements places(xml, name);
  for (pugi::xml_node root = (*document)->root(); root;
       root = root.next_sibling()) {
    if (root.type() != pugi::node_element) continue;
    if (!IsNamed(root, "Source")) {
      return places.Problem(root, "stands where <Source> has to");
    }
    DOVETAIL_ASSIGN_OR_RETURN(const std::string file,
                              places.Require(root, "filename"));
    DOVETAIL_ASSIGN_OR_RETURN(std::string text, TextOf(places, root));
    if (!sources.emplace(file, std::move(text)).second) {
      return places.Problem(root, "attribute filename=\"", file,
                            "\" is there twice");
    }
  }
  return sources;
}

std::string WriteSources(const std::map<std::string, std::string>& sources) {
  std::string xml;
  for (const auto& [name, text] : sources) {
    const std::string quoted = absl::StrReplaceAll(
        name, {{"&", "&amp;"}, {"<", "&lt;"}, {"\"", "&quot;"}});
    absl::StrAppend(&xml, "<Source filename=\"", quoted, "\"");
    if (IsText(text)) {
      absl::StrAppend(&xml, "><![CDATA[",
                      absl::StrReplaceAll(text, {{"]]>", "]]]]><![CDATA[>"}}),
                      "]]></Source>\n");
    } else {
      absl::StrAppend(&xml, " encoding=\"base64\">", absl::Base64Escape(text),
                      "</Source>\n");
    }
  }
  return xml;
}

}  // namespace dovetail
