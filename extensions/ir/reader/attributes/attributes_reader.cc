#include "dovetail/extensions/ir/reader/attributes/attributes_reader.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/extensions/ir/reader/attributes/values.h"

namespace dovetail::ir {
namespace {

absl::StatusOr<int> ParseEnum(absl::string_view text,
                              absl::Span<const EnumName> names) {
  const absl::string_view word = absl::StripAsciiWhitespace(text);
  for (const EnumName& candidate : names) {
    if (absl::EqualsIgnoreCase(candidate.name, word)) return candidate.value;
  }
  const std::string known = absl::StrJoin(
      names, ", ", [](std::string* out, const EnumName& candidate) {
        absl::StrAppend(out, candidate.name);
      });
  return InvalidArgument("'", text.substr(0, 60), "' is none of ", known);
}

}  // namespace

template <typename T, typename Parse>
void AttributesReader::Read(absl::string_view name, T& value, Parse parse) {
  if (!status_.ok()) return;
  const pugi::xml_attribute attribute =
      data_.attribute(std::string(name).c_str());
  if (!attribute) return;
  absl::StatusOr<T> parsed = parse(absl::string_view(attribute.value()));
  if (parsed.ok()) {
    value = *std::move(parsed);
  } else {
    status_ = InvalidArgument("attribute '", name, "': ",
                              parsed.status().message());
  }
}

void AttributesReader::Visit(absl::string_view name, bool& value) {
  Read(name, value, &ParseBool);
}
void AttributesReader::Visit(absl::string_view name, int64_t& value) {
  Read(name, value, &ParseInt);
}
void AttributesReader::Visit(absl::string_view name, uint64_t& value) {
  Read(name, value, &ParseUnsigned);
}
void AttributesReader::Visit(absl::string_view name, double& value) {
  Read(name, value, &ParseFloat);
}
void AttributesReader::Visit(absl::string_view name, std::string& value) {
  Read(name, value, [](absl::string_view text) {
    return absl::StatusOr<std::string>(text);
  });
}
void AttributesReader::Visit(absl::string_view name,
                             std::vector<int64_t>& value) {
  Read(name, value, &ParseInts);
}
void AttributesReader::Visit(absl::string_view name,
                             std::vector<double>& value) {
  Read(name, value, &ParseFloats);
}
void AttributesReader::Visit(absl::string_view name,
                             std::vector<std::string>& value) {
  Read(name, value, [](absl::string_view text) {
    return absl::StatusOr<std::vector<std::string>>(ParseStrings(text));
  });
}
void AttributesReader::Visit(absl::string_view name, ElementType& value) {
  Read(name, value, [](absl::string_view text) {
    return ParseElementType(absl::StripAsciiWhitespace(text));
  });
}

void AttributesReader::Visit(absl::string_view name, PartialShape& value) {
  Read(name, value,
       [this](absl::string_view text) -> absl::StatusOr<PartialShape> {
         absl::StatusOr<PartialShape> shape = PartialShape::Parse(text);
         if (shape.ok() && shape->rank_known() && shape->rank() > max_rank_) {
           return InvalidArgument("over ", max_rank_, " dimensions");
         }
         return shape;
       });
}

void AttributesReader::Visit(absl::string_view, Tensor& value) {
  if (!status_.ok()) return;
  absl::StatusOr<Tensor> tensor = read_tensor_();
  if (tensor.ok()) {
    value = *std::move(tensor);
  } else {
    status_ = tensor.status();
  }
}

void AttributesReader::VisitEnum(absl::string_view name, int& value,
                                 absl::Span<const EnumName> names) {
  Read(name, value, [names](absl::string_view text) {
    return ParseEnum(text, names);
  });
}

}  // namespace dovetail::ir
