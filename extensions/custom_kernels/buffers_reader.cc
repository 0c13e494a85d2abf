#include "dovetail/extensions/custom_kernels/buffers_reader.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

using Kind = CustomTensor::Kind;

constexpr absl::string_view kNumberTypes[] = {
    "char", "uchar", "short", "ushort", "int",
    "uint", "long",  "ulong", "float",  "double"};

struct KindName {
  absl::string_view name;
  Kind kind;
};
constexpr KindName kKinds[] = {{"input", Kind::kInput},
                               {"output", Kind::kOutput},
                               {"internal", Kind::kInternal},
                               {"local", Kind::kLocal}};

bool IsPort(Kind kind) { return kind == Kind::kInput || kind == Kind::kOutput; }

absl::StatusOr<CustomFormat> FormatOf(const XmlElements& xml,
                                      pugi::xml_node element) {
  const std::string text =
      absl::AsciiStrToUpper(element.attribute("format").value());
  if (text.empty() || text == "BFYX") return CustomFormat::kBfyx;
  if (text == "BYXF") return CustomFormat::kByxf;
  if (text == "FYXB") return CustomFormat::kFyxb;
  if (text == "YXFB") return CustomFormat::kYxfb;
  if (text == "ANY") return CustomFormat::kAny;
  return xml.Problem(element, "attribute format=\"",
                     element.attribute("format").value(),
                     "\"; known are BFYX, BYXF, FYXB, YXFB and ANY");
}

absl::StatusOr<Kind> KindOf(const XmlElements& xml, pugi::xml_node element) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string type,
                            xml.Require(element, "type"));
  for (const KindName& kind : kKinds) {
    if (kind.name == type) return kind.kind;
  }
  return xml.Problem(element, "attribute type=\"", type,
                     "\"; known are \"input\", \"output\", \"internal\" and "
                     "\"local\"");
}

absl::StatusOr<std::string> NumberType(const XmlElements& xml,
                                       pugi::xml_node element,
                                       const char* attribute) {
  DOVETAIL_ASSIGN_OR_RETURN(const std::string type,
                            xml.Require(element, attribute));
  if (absl::c_linear_search(kNumberTypes, type)) return type;
  return xml.Problem(element, "attribute ", attribute, "=\"", type,
                     "\"; known are ", absl::StrJoin(kNumberTypes, ", "));
}

absl::StatusOr<CustomTensor> ReadTensor(const XmlElements& xml,
                                        pugi::xml_node element) {
  CustomTensor tensor;
  DOVETAIL_ASSIGN_OR_RETURN(tensor.arg_index, xml.Index(element, "arg-index"));
  DOVETAIL_ASSIGN_OR_RETURN(tensor.kind, KindOf(xml, element));
  if (IsPort(tensor.kind)) {
    DOVETAIL_ASSIGN_OR_RETURN(tensor.port_index,
                              xml.Index(element, "port-index"));
    DOVETAIL_ASSIGN_OR_RETURN(tensor.format, FormatOf(xml, element));
    return tensor;
  }
  DOVETAIL_ASSIGN_OR_RETURN(tensor.size, xml.Require(element, "size"));
  if (element.attribute("element-type")) {
    DOVETAIL_ASSIGN_OR_RETURN(tensor.element_type,
                              NumberType(xml, element, "element-type"));
  }
  return tensor;
}

absl::StatusOr<CustomScalar> ReadScalar(const XmlElements& xml,
                                        pugi::xml_node element) {
  CustomScalar scalar;
  DOVETAIL_ASSIGN_OR_RETURN(scalar.arg_index, xml.Index(element, "arg-index"));
  DOVETAIL_ASSIGN_OR_RETURN(scalar.type, NumberType(xml, element, "type"));
  scalar.param = element.attribute("param").value();
  scalar.value = element.attribute("value").value();
  if (scalar.param.empty() && scalar.value.empty()) {
    return xml.Problem(element, "has neither 'param' nor 'value'");
  }
  if (element.attribute("element")) {
    DOVETAIL_ASSIGN_OR_RETURN(scalar.element, xml.Index(element, "element"));
  }
  return scalar;
}

absl::StatusOr<int> ReadArgument(const XmlElements& xml, pugi::xml_node element,
                                 CustomKernel& kernel) {
  if (IsNamed(element, "Tensor")) {
    DOVETAIL_ASSIGN_OR_RETURN(CustomTensor tensor, ReadTensor(xml, element));
    kernel.tensors.push_back(std::move(tensor));
    return kernel.tensors.back().arg_index;
  }
  if (IsNamed(element, "Scalar")) {
    DOVETAIL_ASSIGN_OR_RETURN(CustomScalar scalar, ReadScalar(xml, element));
    kernel.scalars.push_back(std::move(scalar));
    return kernel.scalars.back().arg_index;
  }
  return xml.Problem(element,
                     "is not known in <Buffers>, which takes <Tensor> and "
                     "<Scalar>; constants are inputs of the operation");
}

// A single output is output 0 whatever number it is given, as files that
// count it behind the inputs are about.
absl::Status CheckOutputs(const XmlElements& xml, pugi::xml_node element,
                          std::vector<CustomTensor>& tensors) {
  std::vector<CustomTensor*> outputs;
  for (CustomTensor& tensor : tensors) {
    if (tensor.kind == Kind::kOutput) outputs.push_back(&tensor);
  }
  if (outputs.empty()) return xml.Problem(element, "has no output");
  if (outputs.size() == 1) outputs[0]->port_index = 0;
  return absl::OkStatus();
}

bool IsNumber(absl::string_view text) {
  double number = 0;
  return absl::SimpleAtod(text, &number);
}

}  // namespace

absl::Status ReadBuffers(const XmlElements& xml, pugi::xml_node buffers,
                         CustomKernel& kernel) {
  std::set<int> taken;
  for (const pugi::xml_node& child : buffers.children()) {
    DOVETAIL_ASSIGN_OR_RETURN(const int index,
                              ReadArgument(xml, child, kernel));
    if (!taken.insert(index).second) {
      return xml.Problem(child, "attribute arg-index=\"", index,
                         "\" is there twice");
    }
  }
  if (!taken.empty() && *taken.rbegin() >= static_cast<int>(taken.size())) {
    return xml.Problem(buffers, "the kernel's arguments are 0 to ",
                       *taken.rbegin(), ", but only ", taken.size(),
                       " of them have a <Tensor> or <Scalar>");
  }
  return CheckOutputs(xml, buffers, kernel.tensors);
}

absl::Status CheckBuffers(const XmlElements& xml, pugi::xml_node buffers,
                          const std::vector<std::string>& macros) {
  for (const pugi::xml_node& child : buffers.children()) {
    const char* const attribute = IsNamed(child, "Tensor") ? "size" : "value";
    const absl::string_view text = child.attribute(attribute).value();
    if (text.empty() || (IsNamed(child, "Scalar") && IsNumber(text))) continue;
    DOVETAIL_RETURN_IF_ERROR(
        xml.CheckExpression(child, attribute, text, macros));
  }
  return absl::OkStatus();
}

}  // namespace dovetail
