#include "dovetail/extensions/custom_kernels/shave/arguments_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

using Kind = ShaveArgument::Kind;

constexpr size_t kMaxDimensions = 3;

template <typename T>
using Names = std::vector<std::pair<absl::string_view, T>>;

// The value of an attribute that is one of those names, in any case.
template <typename T>
absl::StatusOr<T> OneOf(const XmlElements& xml, pugi::xml_node element,
                        const char* attribute, const Names<T>& names) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string text,
                            xml.Require(element, attribute));
  std::vector<absl::string_view> known;
  for (const auto& [name, value] : names) {
    if (absl::EqualsIgnoreCase(text, name)) return value;
    known.push_back(name);
  }
  return xml.Problem(element, "attribute ", attribute, "=\"", text,
                     "\"; known are ", absl::StrJoin(known, ", "));
}

// "input,0", "output 1" or, for the first, "input".
absl::StatusOr<ShaveDim> Dim(const XmlElements& xml, pugi::xml_node element) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string text,
                            xml.Require(element, "dim"));
  const std::vector<std::string> words =
      absl::StrSplit(text, absl::ByAnyChar(", "), absl::SkipEmpty());
  ShaveDim dim;
  const bool is_known =
      !words.empty() && words.size() <= 2 &&
      (absl::EqualsIgnoreCase(words[0], "input") ||
       absl::EqualsIgnoreCase(words[0], "output"));
  if (!is_known) {
    return xml.Problem(element, "attribute dim=\"", text,
                       "\"; want \"input,0\" or \"output,0\"");
  }
  dim.is_output = absl::EqualsIgnoreCase(words[0], "output");
  if (words.size() == 2) {
    DOVETAIL_ASSIGN_OR_RETURN(dim.port, xml.IndexOf(element, "dim", words[1]));
  }
  return dim;
}

absl::Status ReadFormat(const XmlElements& xml, pugi::xml_node element,
                        ShaveArgument& argument) {
  static const auto& formats = *new Names<ShaveFormat>{
      {"BFYX", ShaveFormat::kBfyx}, {"BYXF", ShaveFormat::kByxf},
      {"FYX", ShaveFormat::kFyx},   {"YXF", ShaveFormat::kYxf},
      {"BF", ShaveFormat::kBf},     {"ANY", ShaveFormat::kAny}};
  if (!element.attribute("format")) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(argument.format,
                            OneOf(xml, element, "format", formats));
  return absl::OkStatus();
}

// An expression of bytes, and whose sizes it is of.
absl::Status ReadSize(const XmlElements& xml, pugi::xml_node element,
                      ShaveArgument& argument) {
  DOVETAIL_ASSIGN_OR_RETURN(argument.size, xml.Require(element, "size"));
  DOVETAIL_ASSIGN_OR_RETURN(argument.dim, Dim(xml, element));
  return absl::OkStatus();
}

absl::Status ReadTensor(const XmlElements& xml, pugi::xml_node element,
                        ShaveArgument& argument) {
  static const auto& kinds =
      *new Names<Kind>{{"input", Kind::kInput},
                       {"output", Kind::kOutput},
                       {"data", Kind::kInput},
                       {"input_buffer", Kind::kInputBuffer},
                       {"output_buffer", Kind::kOutputBuffer}};
  DOVETAIL_ASSIGN_OR_RETURN(argument.kind, OneOf(xml, element, "type", kinds));
  DOVETAIL_ASSIGN_OR_RETURN(argument.port, xml.Index(element, "port-index"));
  DOVETAIL_RETURN_IF_ERROR(ReadFormat(xml, element, argument));
  if (argument.kind != Kind::kOutputBuffer) return absl::OkStatus();
  return ReadSize(xml, element, argument);
}

absl::Status ReadData(const XmlElements& xml, pugi::xml_node element,
                      ShaveArgument& argument) {
  static const auto& kinds = *new Names<Kind>{{"data", Kind::kData},
                                              {"local_data", Kind::kLocal}};
  DOVETAIL_ASSIGN_OR_RETURN(argument.kind, OneOf(xml, element, "type", kinds));
  const bool is_data = argument.kind == Kind::kData;
  const char* const other = is_data ? "dim" : "source";
  if (element.attribute(other)) {
    return xml.Problem(element, "attribute '", other, "' is not of type=\"",
                       is_data ? "data" : "local_data", "\", which has '",
                       is_data ? "source" : "dim", "'");
  }
  if (!is_data) return ReadSize(xml, element, argument);
  argument.format = ShaveFormat::kAny;
  DOVETAIL_RETURN_IF_ERROR(ReadFormat(xml, element, argument));
  DOVETAIL_ASSIGN_OR_RETURN(argument.source, xml.Require(element, "source"));
  return absl::OkStatus();
}

absl::Status ReadScalar(const XmlElements& xml, pugi::xml_node element,
                        ShaveArgument& argument) {
  static const auto& kinds =
      *new Names<Kind>{{"int", Kind::kInt}, {"float", Kind::kFloat}};
  DOVETAIL_ASSIGN_OR_RETURN(argument.kind, OneOf(xml, element, "type", kinds));
  DOVETAIL_ASSIGN_OR_RETURN(argument.source, xml.Require(element, "source"));
  argument.port = -1;
  if (!element.attribute("port-index")) return absl::OkStatus();
  DOVETAIL_ASSIGN_OR_RETURN(argument.port, xml.Index(element, "port-index"));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> Sizes(const XmlElements& xml,
                                               pugi::xml_node element,
                                               const char* attribute) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string text,
                            xml.Require(element, attribute));
  const std::vector<std::string> all = absl::StrSplit(text, ',');
  const bool has_empty = absl::c_any_of(all, [](const std::string& one) {
    return absl::StripAsciiWhitespace(one).empty();
  });
  if (all.size() <= kMaxDimensions && !has_empty) return all;
  return xml.Problem(element, "attribute ", attribute, "=\"", text,
                     "\": want one to three expressions");
}

}  // namespace

absl::Status ReadShaveArguments(const XmlElements& xml,
                                pugi::xml_node parameters,
                                ShaveKernel& kernel) {
  for (const pugi::xml_node& child : parameters.children()) {
    if (child.type() != pugi::node_element) continue;
    ShaveArgument argument;
    argument.where = xml.PlaceOf(child);
    DOVETAIL_ASSIGN_OR_RETURN(argument.name, xml.Require(child, "arg-name"));
    const auto same = [&](const ShaveArgument& other) {
      return other.name == argument.name;
    };
    if (absl::c_any_of(kernel.arguments, same)) {
      return xml.Problem(child, "attribute arg-name=\"", argument.name,
                         "\" is there twice");
    }
    if (IsNamed(child, "Tensor")) {
      DOVETAIL_RETURN_IF_ERROR(ReadTensor(xml, child, argument));
    } else if (IsNamed(child, "Data")) {
      DOVETAIL_RETURN_IF_ERROR(ReadData(xml, child, argument));
    } else if (IsNamed(child, "Scalar")) {
      DOVETAIL_RETURN_IF_ERROR(ReadScalar(xml, child, argument));
    } else {
      return xml.Problem(child,
                         "is not known in <Parameters>, which takes <Tensor>, "
                         "<Data> and <Scalar>");
    }
    kernel.arguments.push_back(std::move(argument));
  }
  return absl::OkStatus();
}

absl::Status ReadShaveSizes(const XmlElements& xml, pugi::xml_node sizes,
                            ShaveKernel& kernel) {
  DOVETAIL_ASSIGN_OR_RETURN(kernel.dim, Dim(xml, sizes));
  DOVETAIL_ASSIGN_OR_RETURN(kernel.global, Sizes(xml, sizes, "global"));
  DOVETAIL_ASSIGN_OR_RETURN(kernel.local, Sizes(xml, sizes, "local"));
  if (kernel.global.size() == kernel.local.size()) return absl::OkStatus();
  return xml.Problem(sizes, "attribute 'local' has ", kernel.local.size(),
                     " sizes and 'global' ", kernel.global.size(),
                     "; they have to be as many");
}

}  // namespace dovetail
