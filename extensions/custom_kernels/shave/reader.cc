#include "dovetail/extensions/custom_kernels/shave/reader.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/custom_kernels/includes.h"
#include "dovetail/extensions/custom_kernels/shave/arguments_reader.h"
#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"
#include "dovetail/extensions/custom_kernels/source_file.h"
#include "dovetail/extensions/custom_kernels/xml_elements.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "pugixml.hpp"

namespace dovetail {
namespace {

class Reader {
 public:
  Reader(absl::string_view text, std::string name, ReadSourceFn read_source)
      : text_(text),
        xml_(text, std::move(name)),
        read_source_(std::move(read_source)) {}

  absl::StatusOr<std::vector<ShaveLayer>> Run() {
    auto document = ir::Document::Parse(std::string(text_));
    if (!document.ok()) return Annotate(document.status(), xml_.name());
    std::vector<ShaveLayer> layers;
    for (pugi::xml_node root = (*document)->root(); root;
         root = root.next_sibling()) {
      if (root.type() != pugi::node_element) continue;
      DOVETAIL_ASSIGN_OR_RETURN(ShaveLayer layer, Layer(root));
      layers.push_back(std::move(layer));
    }
    return layers;
  }

 private:
  absl::StatusOr<ShaveLayer> Layer(pugi::xml_node root) {
    xml_.SetLayer("");
    if (!absl::EqualsIgnoreCase(root.name(), "CustomLayer")) {
      return xml_.Problem(root, "stands where <CustomLayer> has to");
    }
    ShaveLayer layer;
    DOVETAIL_ASSIGN_OR_RETURN(layer.name, xml_.Require(root, "name"));
    xml_.SetLayer(layer.name);
    layer.where = xml_.PlaceOf(root);
    DOVETAIL_ASSIGN_OR_RETURN(const std::string type,
                              xml_.Require(root, "type"));
    if (!absl::EqualsIgnoreCase(type, "MVCL")) {
      return xml_.Problem(root, "attribute type=\"", type,
                          "\"; only \"MVCL\" is known");
    }
    DOVETAIL_RETURN_IF_ERROR(xml_.RequireValue(root, "version", "1"));
    DOVETAIL_RETURN_IF_ERROR(Children(root, layer));
    return layer;
  }

  absl::Status Children(pugi::xml_node root, ShaveLayer& layer) {
    std::vector<std::pair<int, ShaveKernel>> kernels;
    for (const pugi::xml_node& child : root.children()) {
      if (child.type() != pugi::node_element) continue;
      if (IsNamed(child, "Kernel")) {
        DOVETAIL_RETURN_IF_ERROR(AddKernel(root, child, kernels));
      } else if (IsNamed(child, "Where")) {
        DOVETAIL_RETURN_IF_ERROR(Where(child, layer));
      } else if (!IsNamed(child, "Parameters") &&
                 !IsNamed(child, "WorkSizes")) {
        return xml_.Problem(child,
                            "is not known here; <CustomLayer> takes <Where>, "
                            "<Kernel>, <Parameters> and <WorkSizes>");
      }
    }
    return Order(root, std::move(kernels), layer);
  }

  absl::Status Where(pugi::xml_node element, ShaveLayer& layer) {
    if (!layer.where_parameters.empty()) {
      return xml_.Problem(element, "is there twice");
    }
    for (const pugi::xml_attribute& attribute : element.attributes()) {
      DOVETAIL_ASSIGN_OR_RETURN(const std::string value,
                                xml_.Require(element, attribute.name()));
      layer.where_parameters.emplace_back(attribute.name(), value);
    }
    return absl::OkStatus();
  }

  absl::Status AddKernel(pugi::xml_node root, pugi::xml_node element,
                         std::vector<std::pair<int, ShaveKernel>>& kernels) {
    ShaveKernel kernel;
    kernel.where = xml_.PlaceOf(element);
    int stage = -1;
    DOVETAIL_ASSIGN_OR_RETURN(kernel.entry, xml_.Require(element, "entry"));
    if (element.attribute("stage")) {
      DOVETAIL_ASSIGN_OR_RETURN(stage, xml_.Index(element, "stage"));
    }
    for (const pugi::xml_node& from : {root, element}) {
      if (!from.attribute("max-shaves")) continue;
      DOVETAIL_ASSIGN_OR_RETURN(kernel.max_shaves,
                                xml_.Index(from, "max-shaves"));
    }
    DOVETAIL_RETURN_IF_ERROR(Sources(element, kernel));
    DOVETAIL_ASSIGN_OR_RETURN(const pugi::xml_node parameters,
                              Only(root, element, "Parameters"));
    DOVETAIL_RETURN_IF_ERROR(ReadShaveArguments(xml_, parameters, kernel));
    DOVETAIL_ASSIGN_OR_RETURN(const pugi::xml_node sizes,
                              Only(root, element, "WorkSizes"));
    DOVETAIL_RETURN_IF_ERROR(ReadShaveSizes(xml_, sizes, kernel));
    kernels.emplace_back(stage, std::move(kernel));
    return absl::OkStatus();
  }

  // In the kernel, or beside it.
  absl::StatusOr<pugi::xml_node> Only(pugi::xml_node root,
                                      pugi::xml_node kernel,
                                      const char* name) {
    const pugi::xml_node owner = kernel.child(name) ? kernel : root;
    const pugi::xml_node found = owner.child(name);
    if (!found) return xml_.Problem(kernel, "has no <", name, ">");
    if (found.next_sibling(name)) {
      return xml_.Problem(found.next_sibling(name), "is there twice");
    }
    return found;
  }

  absl::Status Sources(pugi::xml_node element, ShaveKernel& kernel) {
    IncludeInliner includes(read_source_, /*leaves_missing=*/false);
    bool has_compiled = false;
    for (const pugi::xml_node& child : element.children()) {
      if (child.type() != pugi::node_element) continue;
      if (IsNamed(child, "Parameters") || IsNamed(child, "WorkSizes")) continue;
      if (!IsNamed(child, "Source")) {
        return xml_.Problem(child,
                            "is not known in <Kernel>, which takes <Source>, "
                            "<Parameters> and <WorkSizes>");
      }
      DOVETAIL_ASSIGN_OR_RETURN(const std::string name,
                                xml_.Require(child, "filename"));
      auto text = read_source_(name);
      if (!text.ok()) {
        return xml_.Problem(child, "attribute filename=\"", name,
                            "\": ", text.status().message());
      }
      CustomSource source = {name, *std::move(text), {}};
      const bool is_compiled = IsShaveKernelFile(source.text);
      const absl::Status status =
          is_compiled ? ReadShaveKernelFile(source.text).status()
                      : includes.Inline(source);
      if (!status.ok()) {
        return xml_.Problem(child, "attribute filename=\"", name,
                            "\": ", status.message());
      }
      has_compiled |= is_compiled;
      kernel.sources.push_back(std::move(source));
    }
    if (kernel.sources.empty()) {
      return xml_.Problem(element, "has no <Source>");
    }
    if (!has_compiled || kernel.sources.size() == 1) return absl::OkStatus();
    return xml_.Problem(element,
                        "has other sources beside a compiled kernel");
  }

  // By their stages, which have to be 0, 1, 2 … where there are several.
  absl::Status Order(pugi::xml_node root,
                     std::vector<std::pair<int, ShaveKernel>> kernels,
                     ShaveLayer& layer) {
    if (kernels.empty()) return xml_.Problem(root, "has no <Kernel>");
    if (kernels.size() == 1) kernels[0].first = 0;
    std::stable_sort(
        kernels.begin(), kernels.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    int stage = 0;
    for (auto& [number, kernel] : kernels) {
      if (number != stage++) {
        return InvalidArgument(
            kernel.where, ": layer '", layer.name, "', <Kernel>: ",
            number < 0 ? std::string("has no attribute 'stage'")
                       : absl::StrCat("attribute stage=\"", number, "\""),
            "; those of ", kernels.size(), " kernels have to be 0 to ",
            kernels.size() - 1);
      }
      layer.kernels.push_back(std::move(kernel));
    }
    return absl::OkStatus();
  }

  const absl::string_view text_;
  XmlElements xml_;
  const ReadSourceFn read_source_;
};

}  // namespace

absl::StatusOr<std::vector<ShaveLayer>> ReadShaveLayers(
    const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string xml, ReadSourceFile(path));
  return Reader(xml, path, SourcesBeside(path)).Run();
}

absl::StatusOr<std::vector<ShaveLayer>> ParseShaveLayers(
    absl::string_view xml, const std::string& name,
    const std::map<std::string, std::string>& sources) {
  return Reader(xml, name, SourcesGiven(sources)).Run();
}

}  // namespace dovetail
