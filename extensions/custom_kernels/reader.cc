#include "dovetail/extensions/custom_kernels/reader.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/mapped_file.h"
#include "dovetail/extensions/custom_kernels/size_expression.h"
#include "dovetail/extensions/ir/reader/document.h"
#include "pugixml.hpp"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

using ReadSource =
    std::function<absl::StatusOr<std::string>(const std::string& name)>;

// Far more than any device takes.
constexpr int kMaxArguments = 256;
constexpr size_t kMaxDimensions = 3;

bool IsNamed(pugi::xml_node element, absl::string_view name) {
  return element.name() == name;
}

// One text that is being read, and where the reader is in it.
class Reader {
 public:
  Reader(absl::string_view xml, std::string name, ReadSource read_source)
      : xml_(xml),
        name_(std::move(name)),
        read_source_(std::move(read_source)) {}

  absl::StatusOr<std::vector<CustomKernel>> Run() {
    auto document = ir::Document::Parse(std::string(xml_));
    if (!document.ok()) return Annotate(document.status(), name_);
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
  std::string PlaceOf(pugi::xml_node element) const {
    const auto offset =
        std::clamp<ptrdiff_t>(element.offset_debug(), 0, xml_.size());
    return absl::StrCat(
        name_, ":", std::count(xml_.begin(), xml_.begin() + offset, '\n') + 1);
  }

  template <typename... Parts>
  absl::Status Problem(pugi::xml_node element, const Parts&... parts) const {
    const std::string layer =
        layer_.empty() ? "" : absl::StrCat("layer '", layer_, "', ");
    return InvalidArgument(PlaceOf(element), ": ", layer, "<", element.name(),
                           ">: ", parts...);
  }

  // An attribute that has to be there and not be empty.
  absl::StatusOr<std::string> Require(pugi::xml_node element,
                                      const char* attribute) const {
    const std::string text = element.attribute(attribute).value();
    if (!text.empty()) return text;
    return Problem(element, "attribute '", attribute, "' is ",
                   element.attribute(attribute) ? "empty" : "missing");
  }

  absl::Status RequireValue(pugi::xml_node element, const char* attribute,
                            absl::string_view expected) const {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string text,
                              Require(element, attribute));
    if (text == expected) return absl::OkStatus();
    return Problem(element, "attribute ", attribute, "=\"", text, "\"; only \"",
                   expected, "\" is known");
  }

  // A number from 0 to kMaxArguments - 1.
  absl::StatusOr<int> Index(pugi::xml_node element,
                            const char* attribute) const {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string text,
                              Require(element, attribute));
    return IndexOf(element, attribute, text);
  }

  absl::StatusOr<int> IndexOf(pugi::xml_node element, const char* attribute,
                              absl::string_view text) const {
    int index = -1;
    if (absl::SimpleAtoi(text, &index) && 0 <= index && index < kMaxArguments) {
      return index;
    }
    return Problem(element, "attribute ", attribute, "=\"",
                   element.attribute(attribute).value(), "\": '", text,
                   "' is no number from 0 to ", kMaxArguments - 1);
  }

  absl::StatusOr<CustomKernel> Layer(pugi::xml_node root) {
    layer_.clear();
    if (!IsNamed(root, "CustomLayer")) {
      return Problem(root, "stands where <CustomLayer> has to");
    }
    CustomKernel kernel;
    DOVETAIL_ASSIGN_OR_RETURN(kernel.layer, Require(root, "name"));
    layer_ = kernel.layer;
    kernel.where = PlaceOf(root);
    DOVETAIL_RETURN_IF_ERROR(RequireValue(root, "type", "SimpleGPU"));
    DOVETAIL_RETURN_IF_ERROR(RequireValue(root, "version", "1"));
    std::set<std::string> seen;
    for (const pugi::xml_node& child : root.children()) {
      if (child.type() == pugi::node_element &&
          !seen.insert(child.name()).second) {
        return Problem(child, "is there twice");
      }
      DOVETAIL_RETURN_IF_ERROR(Part(child, kernel));
    }
    for (const char* needed : {"Kernel", "Buffers"}) {
      if (seen.count(needed) > 0) continue;
      return Problem(root, "has no <", needed, ">");
    }
    return kernel;
  }

  absl::Status Part(pugi::xml_node child, CustomKernel& kernel) {
    if (IsNamed(child, "Kernel")) return Function(child, kernel);
    if (IsNamed(child, "Buffers")) return Buffers(child, kernel);
    if (IsNamed(child, "WorkSizes")) return Sizes(child, kernel.work_sizes);
    if (IsNamed(child, "CompilerOptions")) {
      kernel.compiler_options = child.attribute("options").value();
      return absl::OkStatus();
    }
    return Problem(child,
                   "is not known here; <CustomLayer> takes <Kernel>, "
                   "<Buffers>, <CompilerOptions> and <WorkSizes>");
  }

  absl::Status Function(pugi::xml_node element, CustomKernel& kernel) {
    DOVETAIL_ASSIGN_OR_RETURN(kernel.entry, Require(element, "entry"));
    for (const pugi::xml_node& child : element.children()) {
      if (IsNamed(child, "Source")) {
        DOVETAIL_RETURN_IF_ERROR(Source(child, kernel));
      } else if (IsNamed(child, "Define")) {
        DOVETAIL_ASSIGN_OR_RETURN(const std::string name,
                                  Require(child, "name"));
        kernel.defines.push_back({name, child.attribute("param").value(),
                                  child.attribute("default").value(),
                                  child.attribute("type").value()});
      } else {
        return Problem(child,
                       "is not known in <Kernel>, which takes <Source> "
                       "and <Define>");
      }
    }
    if (kernel.sources.empty()) return Problem(element, "has no <Source>");
    return absl::OkStatus();
  }

  absl::Status Source(pugi::xml_node element, CustomKernel& kernel) {
    DOVETAIL_ASSIGN_OR_RETURN(const std::string name,
                              Require(element, "filename"));
    auto text = read_source_(name);
    if (!text.ok()) {
      return Problem(element, "attribute filename=\"", name,
                     "\": ", text.status().message());
    }
    kernel.sources.push_back({name, *std::move(text)});
    return absl::OkStatus();
  }

  absl::Status Buffers(pugi::xml_node element, CustomKernel& kernel) {
    std::set<int> taken;
    for (const pugi::xml_node& child : element.children()) {
      if (!IsNamed(child, "Tensor")) {
        return Problem(child,
                       "is not known in <Buffers>, which takes <Tensor>"
                       "; constants are inputs of the operation");
      }
      DOVETAIL_ASSIGN_OR_RETURN(const CustomTensor tensor, Tensor(child));
      if (!taken.insert(tensor.arg_index).second) {
        return Problem(child, "attribute arg-index=\"", tensor.arg_index,
                       "\" is there twice");
      }
      kernel.tensors.push_back(tensor);
    }
    if (!taken.empty() && *taken.rbegin() >= static_cast<int>(taken.size())) {
      return Problem(element, "the kernel's arguments are 0 to ",
                     *taken.rbegin(), ", but only ", taken.size(),
                     " of them have a <Tensor>");
    }
    return Outputs(element, kernel.tensors);
  }

  // A single output is output 0 whatever number it is given, as files that
  // count it behind the inputs are about.
  absl::Status Outputs(pugi::xml_node element,
                       std::vector<CustomTensor>& tensors) {
    std::vector<CustomTensor*> outputs;
    for (CustomTensor& tensor : tensors) {
      if (tensor.kind == CustomTensor::Kind::kOutput) {
        outputs.push_back(&tensor);
      }
    }
    if (outputs.empty()) return Problem(element, "has no output");
    if (outputs.size() == 1) outputs[0]->port_index = 0;
    return absl::OkStatus();
  }

  absl::StatusOr<CustomTensor> Tensor(pugi::xml_node element) {
    CustomTensor tensor;
    DOVETAIL_ASSIGN_OR_RETURN(tensor.arg_index, Index(element, "arg-index"));
    DOVETAIL_ASSIGN_OR_RETURN(tensor.port_index, Index(element, "port-index"));
    DOVETAIL_ASSIGN_OR_RETURN(const std::string type, Require(element, "type"));
    if (type != "input" && type != "output") {
      return Problem(element, "attribute type=\"", type,
                     "\"; known are \"input\" and \"output\"");
    }
    if (type == "output") tensor.kind = CustomTensor::Kind::kOutput;
    DOVETAIL_ASSIGN_OR_RETURN(tensor.format, Format(element));
    return tensor;
  }

  absl::StatusOr<CustomFormat> Format(pugi::xml_node element) {
    const std::string text =
        absl::AsciiStrToUpper(element.attribute("format").value());
    if (text.empty() || text == "BFYX") return CustomFormat::kBfyx;
    if (text == "BYXF") return CustomFormat::kByxf;
    if (text == "FYXB") return CustomFormat::kFyxb;
    if (text == "YXFB") return CustomFormat::kYxfb;
    if (text == "ANY") return CustomFormat::kAny;
    return Problem(element, "attribute format=\"",
                   element.attribute("format").value(),
                   "\"; known are BFYX, BYXF, FYXB, YXFB and ANY");
  }

  absl::Status Sizes(pugi::xml_node element, CustomWorkSizes& sizes) {
    DOVETAIL_RETURN_IF_ERROR(Dim(element, sizes));
    DOVETAIL_ASSIGN_OR_RETURN(sizes.global, Expressions(element, "global"));
    DOVETAIL_ASSIGN_OR_RETURN(sizes.local, Expressions(element, "local"));
    if (sizes.local.empty() || sizes.local.size() == sizes.global.size()) {
      return absl::OkStatus();
    }
    return Problem(element, "attribute 'local' has ", sizes.local.size(),
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
      return Problem(element, "attribute dim=\"", text,
                     "\"; known are \"output\", \"input\" and \"input,1\"");
    }
    sizes.input = 0;
    if (words.size() == 1) return absl::OkStatus();
    DOVETAIL_ASSIGN_OR_RETURN(sizes.input, IndexOf(element, "dim", words[1]));
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<std::string>> Expressions(pugi::xml_node element,
                                                       const char* attribute) {
    const absl::string_view text =
        absl::StripAsciiWhitespace(element.attribute(attribute).value());
    if (text.empty()) return std::vector<std::string>();
    const std::vector<std::string> all = absl::StrSplit(text, ',');
    if (all.size() > kMaxDimensions) {
      return Problem(element, "attribute '", attribute, "' has ", all.size(),
                     " sizes; at most ", kMaxDimensions, " are taken");
    }
    for (const std::string& one : all) {
      const absl::Status status = CheckSizeExpression(one);
      if (status.ok()) continue;
      return Problem(element, "attribute '", attribute,
                     "': ", status.message());
    }
    return all;
  }

  const absl::string_view xml_;
  const std::string name_;
  const ReadSource read_source_;
  std::string layer_;  // that is being read
};

absl::StatusOr<std::string> ReadText(const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                            MappedFile::Open(path));
  return std::string(static_cast<const char*>(file->data()), file->size());
}

}  // namespace

absl::StatusOr<std::vector<CustomKernel>> ReadCustomKernels(
    const std::string& path) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string xml, ReadText(path));
  const fs::path folder = fs::path(path).parent_path();
  return Reader(xml, path,
                [&](const std::string& name) {
                  return ReadText((folder / name).string());
                })
      .Run();
}

absl::StatusOr<std::vector<CustomKernel>> ParseCustomKernels(
    absl::string_view xml, const std::string& name,
    const std::map<std::string, std::string>& sources) {
  const auto find =
      [&](const std::string& source) -> absl::StatusOr<std::string> {
    const auto it = sources.find(source);
    if (it != sources.end()) return it->second;
    return NotFound("no source of this name was given");
  };
  return Reader(xml, name, find).Run();
}

}  // namespace dovetail
