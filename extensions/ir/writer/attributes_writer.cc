#include "dovetail/extensions/ir/writer/attributes_writer.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "dovetail/core/graph/attributes/attribute_text.h"

namespace dovetail::ir {

void SetText(pugi::xml_node element, absl::string_view name,
             absl::string_view text) {
  const std::string key(name);
  pugi::xml_attribute attribute = element.attribute(key.c_str());
  if (!attribute) attribute = element.append_attribute(key.c_str());
  attribute.set_value(std::string(text).c_str());
}

pugi::xml_node AttributesWriter::Data() {
  pugi::xml_node data = layer_.child("data");
  return data ? data : layer_.prepend_child("data");
}

void AttributesWriter::Set(absl::string_view name, absl::string_view text) {
  SetText(Data(), name, text);
}

void AttributesWriter::Visit(absl::string_view name, bool& value) {
  Set(name, value ? "true" : "false");
}
void AttributesWriter::Visit(absl::string_view name, int64_t& value) {
  Set(name, absl::StrCat(value));
}
void AttributesWriter::Visit(absl::string_view name, uint64_t& value) {
  Set(name, absl::StrCat(value));
}
void AttributesWriter::Visit(absl::string_view name, double& value) {
  Set(name, NumberText(value));
}
void AttributesWriter::Visit(absl::string_view name, std::string& value) {
  Set(name, value);
}
void AttributesWriter::Visit(absl::string_view name,
                             std::vector<int64_t>& value) {
  Set(name, absl::StrJoin(value, ", "));
}
void AttributesWriter::Visit(absl::string_view name,
                             std::vector<double>& value) {
  Set(name, absl::StrJoin(value, ", ", [](std::string* out, double number) {
        out->append(NumberText(number));
      }));
}
void AttributesWriter::Visit(absl::string_view name,
                             std::vector<std::string>& value) {
  // One comma at the end does not count, so an empty last element needs two.
  const bool ends_empty = !value.empty() && value.back().empty();
  Set(name, absl::StrJoin(value, ", ") + (ends_empty ? "," : ""));
}
void AttributesWriter::Visit(absl::string_view name, ElementType& value) {
  Set(name, ElementTypeName(value));
}

void AttributesWriter::Visit(absl::string_view name, PartialShape& value) {
  const std::string shape = value.ToString();
  absl::string_view text = shape;
  absl::ConsumePrefix(&text, "[");
  absl::ConsumeSuffix(&text, "]");
  Set(name, text);
}

void AttributesWriter::Visit(absl::string_view, Tensor& value) {
  if (status_.ok()) status_ = write_tensor_(value, Data());
}

void AttributesWriter::VisitEnum(absl::string_view name, int& value,
                                 absl::Span<const EnumName> names) {
  for (const EnumName& candidate : names) {
    if (candidate.value == value) return Set(name, candidate.name);
  }
}

}  // namespace dovetail::ir
