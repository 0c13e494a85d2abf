#include "dovetail/extensions/custom_kernels/reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/buffers_reader.h"
#include "dovetail/extensions/custom_kernels/includes.h"
#include "dovetail/extensions/custom_kernels/source_file.h"
#include "dovetail/extensions/custom_kernels/xml_elements.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "pugixml.hpp"

namespace dovetail {
namespace {

constexpr size_t kMaxDimensions = 3;

class Reader {
 public:
  Reader(absl::string_view text, std::string name, ReadSourceFn read_source)
      : text_(text),
        xml_(text, std::move(name)),
        read_source_(std::move(read_source)) {}

  absl::StatusOr<std::vector<CustomKernel>> Run() {
    auto document = ir::Document::Parse(std::string(text_));
    if (!document.ok()) return Annotate(document.status(), xml_.name());
    std::vector<CustomKernel> kernels;
    for (pugi::xml_node root = (*document)->root(); root;
         root = root.next_sibling()) {
      if (root.type() != pugi::node_element) continue;
      DOVETAIL_ASSIGN_OR_RETURN(CustomKernel kernel, Layer(root));
      const auto is_same = [&](const CustomKernel& other) {
        return other.layer == kernel.layer;
      };
      kernels.erase(std::remove_if(kernels.begin(), kernels.end(), is_same),
                    kernels.end());
      kernels.push_back(std::move(kernel));
    }
    return kernels;
  }

 private:
  absl::StatusOr<CustomKernel> Layer(pugi::xml_node root) {
    xml_.SetLayer("");
    if (!IsNamed(root, "CustomLayer")) {
      return xml_.Problem(root, "stands where <CustomLayer> has to");
    }
    CustomKernel kernel;
    DOVETAIL_ASSIGN_OR_RETURN(kernel.layer, xml_.Require(root, "name"));
    xml_.SetLayer(kernel.layer);
    kernel.where = xml_.PlaceOf(root);
    DOVETAIL_RETURN_IF_ERROR(xml_.RequireValue(root, "type", "SimpleGPU"));
    DOVETAIL_RETURN_IF_ERROR(xml_.RequireValue(root, "version", "1"));
    std::set<std::string> seen;
    for (const pugi::xml_node& child : root.children()) {
      if (child.type() == pugi::node_element &&
          !seen.insert(child.name()).second) {
        return xml_.Problem(child, "is there twice");
      }
      DOVETAIL_RETURN_IF_ERROR(Part(child, kernel));
    }
    for (const char* needed : {"Kernel", "Buffers"}) {
      if (seen.count(needed) > 0) continue;
      return xml_.Problem(root, "has no <", needed, ">");
    }
    DOVETAIL_RETURN_IF_ERROR(Expressions(root, kernel));
    return kernel;
  }

  absl::Status Part(pugi::xml_node child, CustomKernel& kernel) {
    if (IsNamed(child, "Kernel")) return Function(child, kernel);
    if (IsNamed(child, "Buffers")) return ReadBuffers(xml_, child, kernel);
    if (IsNamed(child, "WorkSizes")) return Sizes(child, kernel.work_sizes);
    if (IsNamed(child, "CompilerOptions")) {
      kernel.compiler_options = child.attribute("options").value();
      return absl::OkStatus();
    }
    return xml_.Problem(child,
                        "is not known here; <CustomLayer> takes <Kernel>, "
                        "<Buffers>, <CompilerOptions> and <WorkSizes>");
  }

  // Of files to include, for the driver's compiler.
  static bool NamesFolders(pugi::xml_node root) {
    const absl::string_view options =
        root.child("CompilerOptions").attribute("options").value();
    return absl::StrContains(absl::StrCat(" ", options), " -I");
  }

  absl::Status Function(pugi::xml_node element, CustomKernel& kernel) {
    DOVETAIL_ASSIGN_OR_RETURN(kernel.entry, xml_.Require(element, "entry"));
    IncludeInliner includes(read_source_, NamesFolders(element.parent()));
    for (const pugi::xml_node& child : element.children()) {
      DOVETAIL_RETURN_IF_ERROR(PartOfFunction(child, includes, kernel));
    }
    if (kernel.sources.empty() == kernel.binary.text.empty()) {
      return xml_.Problem(element, kernel.sources.empty()
                                       ? "has no <Source>"
                                       : "has a <Source> beside its <Binary>");
    }
    return absl::OkStatus();
  }

  absl::Status PartOfFunction(pugi::xml_node child, IncludeInliner& includes,
                              CustomKernel& kernel) {
    if (IsNamed(child, "Source")) {
      DOVETAIL_ASSIGN_OR_RETURN(CustomSource source, Source(child));
      const absl::Status status = includes.Inline(source);
      if (!status.ok()) return xml_.Problem(child, status.message());
      kernel.sources.push_back(std::move(source));
      return absl::OkStatus();
    }
    if (IsNamed(child, "Binary")) {
      DOVETAIL_ASSIGN_OR_RETURN(kernel.binary, Source(child));
      if (!kernel.binary.text.empty()) return absl::OkStatus();
      return xml_.Problem(child, "the file is empty");
    }
    if (!IsNamed(child, "Define")) {
      return xml_.Problem(child,
                          "is not known in <Kernel>, which takes <Source>, "
                          "<Binary> and <Define>");
    }
    DOVETAIL_ASSIGN_OR_RETURN(const std::string name,
                              xml_.Require(child, "name"));
    kernel.defines.push_back({name, child.attribute("param").value(),
                              child.attribute("default").value(),
                              child.attribute("type").value()});
    return absl::OkStatus();
  }

  absl::StatusOr<CustomSource> Source(pugi::xml_node element) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string name,
                              xml_.Require(element, "filename"));
    auto text = read_source_(name);
    if (text.ok()) return CustomSource{name, *std::move(text), {}};
    return xml_.Problem(element, "attribute filename=\"", name,
                        "\": ", text.status().message());
  }

  absl::Status Sizes(pugi::xml_node element, CustomWorkSizes& sizes) {
    DOVETAIL_RETURN_IF_ERROR(Dim(element, sizes));
    DOVETAIL_ASSIGN_OR_RETURN(sizes.global, List(element, "global"));
    DOVETAIL_ASSIGN_OR_RETURN(sizes.local, List(element, "local"));
    if (sizes.local.empty() || sizes.local.size() == sizes.global.size()) {
      return absl::OkStatus();
    }
    return xml_.Problem(element, "attribute 'local' has ", sizes.local.size(),
                        " sizes and 'global' ", sizes.global.size(),
                        "; they have to be as many");
  }

  // "output", "input", "input,1" or "input 1".
  absl::Status Dim(pugi::xml_node element, CustomWorkSizes& sizes) {
    const absl::string_view text =
        absl::StripAsciiWhitespace(element.attribute("dim").value());
    if (text.empty() || text == "output") return absl::OkStatus();
    const std::vector<absl::string_view> words =
        absl::StrSplit(text, absl::ByAnyChar(", "), absl::SkipEmpty());
    if (words.empty() || words[0] != "input" || words.size() > 2) {
      return xml_.Problem(
          element, "attribute dim=\"", text,
          "\"; known are \"output\", \"input\" and \"input,1\"");
    }
    sizes.input = 0;
    if (words.size() == 1) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(sizes.input,
                              xml_.IndexOf(element, "dim", words[1]));
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<std::string>> List(pugi::xml_node element,
                                                const char* attribute) {
    const absl::string_view text =
        absl::StripAsciiWhitespace(element.attribute(attribute).value());
    if (text.empty()) return std::vector<std::string>();
    const std::vector<std::string> all = absl::StrSplit(text, ',');
    if (all.size() <= kMaxDimensions) return all;
    return xml_.Problem(element, "attribute '", attribute, "' has ", all.size(),
                        " sizes; at most ", kMaxDimensions, " are taken");
  }

  // Looks at them when all macros are known, in whatever order the elements
  // are.
  absl::Status Expressions(pugi::xml_node root, const CustomKernel& kernel) {
    std::vector<std::string> macros;
    for (const CustomDefine& define : kernel.defines) {
      macros.push_back(define.name);
    }
    DOVETAIL_RETURN_IF_ERROR(CheckBuffers(xml_, root.child("Buffers"), macros));
    const pugi::xml_node sizes = root.child("WorkSizes");
    const auto check = [&](const char* attribute,
                           const std::vector<std::string>& all) {
      absl::Status status;
      for (const std::string& one : all) {
        status.Update(xml_.CheckExpression(sizes, attribute, one, macros));
      }
      return status;
    };
    DOVETAIL_RETURN_IF_ERROR(check("global", kernel.work_sizes.global));
    return check("local", kernel.work_sizes.local);
  }

  const absl::string_view text_;
  XmlElements xml_;
  const ReadSourceFn read_source_;
};

}  // namespace

absl::StatusOr<std::vector<CustomKernel>> ReadCustomKernels(
    const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string xml, ReadSourceFile(path));
  return Reader(xml, path, SourcesBeside(path)).Run();
}

absl::StatusOr<std::vector<CustomKernel>> ParseCustomKernels(
    absl::string_view xml, const std::string& name,
    const std::map<std::string, std::string>& sources) {
  return Reader(xml, name, SourcesGiven(sources)).Run();
}

absl::Status CheckCustomKernels(absl::string_view xml,
                                const std::string& name) {
  return Reader(xml, name, [](const std::string&) { return "// to come"; })
      .Run()
      .status();
}

}  // namespace dovetail
