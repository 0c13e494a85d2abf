#include "dovetail/core/ops/text/read_attributes.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {
namespace {

using Texts = std::map<std::string, std::string>;

// ---- One value ----

absl::Status Wrong(absl::string_view text, absl::string_view what) {
  return InvalidArgument("'", text, "' is not ", what);
}

absl::Status Parse(absl::string_view text, bool& value) {
  if (text != "true" && text != "false") return Wrong(text, "true or false");
  value = text == "true";
  return absl::OkStatus();
}
absl::Status Parse(absl::string_view text, int64_t& value) {
  return absl::SimpleAtoi(text, &value) ? absl::OkStatus()
                                        : Wrong(text, "an integer");
}
absl::Status Parse(absl::string_view text, uint64_t& value) {
  return absl::SimpleAtoi(text, &value)
             ? absl::OkStatus()
             : Wrong(text, "an integer without sign");
}
absl::Status Parse(absl::string_view text, double& value) {
  return absl::SimpleAtod(text, &value) ? absl::OkStatus()
                                        : Wrong(text, "a number");
}
absl::Status Parse(absl::string_view text, std::string& value) {
  Scanner scanner(text);
  DOVETAIL_ASSIGN_OR_RETURN(value, scanner.Quoted());
  return scanner.at_end() ? absl::OkStatus() : scanner.Error("left over");
}
absl::Status Parse(absl::string_view text, ElementType& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, ParseElementType(text));
  return absl::OkStatus();
}
absl::Status Parse(absl::string_view text, PartialShape& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, PartialShape::Parse(text));
  return absl::OkStatus();
}
absl::Status Parse(absl::string_view text, Tensor& value) {
  DOVETAIL_ASSIGN_OR_RETURN(value, ParseTensorText(text));
  return absl::OkStatus();
}

// Items between `open` and `close`, separated by commas.
absl::StatusOr<std::vector<absl::string_view>> Items(Scanner& scanner,
                                                     absl::string_view open,
                                                     absl::string_view close) {
  std::vector<absl::string_view> items;
  DOVETAIL_RETURN_IF_ERROR(scanner.Expect(open));
  if (scanner.Consume(close)) return items;
  const std::string ends = absl::StrCat(",", close);
  do {
    items.emplace_back();
    DOVETAIL_ASSIGN_OR_RETURN(items.back(), scanner.ValueUntil(ends));
  } while (scanner.Consume(","));
  DOVETAIL_RETURN_IF_ERROR(scanner.Expect(close));
  return items;
}

template <typename T>
absl::Status Parse(absl::string_view text, std::vector<T>& value) {
  Scanner scanner(text);
  DOVETAIL_ASSIGN_OR_RETURN(const auto items, Items(scanner, "[", "]"));
  value.clear();
  for (absl::string_view item : items) {
    value.emplace_back();
    DOVETAIL_RETURN_IF_ERROR(Parse(item, value.back()));
  }
  return scanner.at_end() ? absl::OkStatus() : scanner.Error("left over");
}

// ---- Tensors ----

template <typename T>
absl::Status FillExactly(const std::vector<absl::string_view>& items,
                         const Tensor& tensor) {
  for (size_t i = 0; i < items.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(Parse(items[i], tensor.mutable_data<T>()[i]));
  }
  return absl::OkStatus();
}

absl::Status Fill(const std::vector<absl::string_view>& items,
                  const Tensor& tensor) {
  switch (tensor.type()) {
    case ElementType::kString:
      return FillExactly<std::string>(items, tensor);
    case ElementType::kI64:
      return FillExactly<int64_t>(items, tensor);
    case ElementType::kU64:
      return FillExactly<uint64_t>(items, tensor);
    default:
      break;
  }
  for (size_t i = 0; i < items.size(); ++i) {
    double value;
    DOVETAIL_RETURN_IF_ERROR(Parse(items[i], value));
    tensor.SetElement(static_cast<int64_t>(i), value);
  }
  return absl::OkStatus();
}

// ---- All of a struct ----

class Reader : public EachAttribute<Reader> {
 public:
  explicit Reader(Texts texts) : texts_(std::move(texts)) {}

  template <typename T>
  void Each(absl::string_view name, T& value) {
    const auto found = texts_.find(std::string(name));
    if (found == texts_.end()) return;
    Note(name, Parse(found->second, value));
    texts_.erase(found);
  }

  absl::Status Finish() const {
    if (!status_.ok() || texts_.empty()) return status_;
    return InvalidArgument("there is no attribute '", texts_.begin()->first,
                           "'");
  }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    const auto found = texts_.find(std::string(name));
    if (found == texts_.end()) return;
    const std::string text = found->second;
    texts_.erase(found);
    for (const EnumName& candidate : names) {
      if (!absl::EqualsIgnoreCase(candidate.name, text)) continue;
      value = candidate.value;
      return;
    }
    Note(name, Wrong(text, "one of its values"));
  }

 private:
  void Note(absl::string_view name, const absl::Status& status) {
    status_.Update(Annotate(status, absl::StrCat("attribute ", name)));
  }

  Texts texts_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<Tensor> ParseTensorText(absl::string_view text) {
  Scanner scanner(text);
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            ParseElementType(scanner.Word()));
  DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view dims,
                            scanner.ValueUntil("{"));
  DOVETAIL_ASSIGN_OR_RETURN(const PartialShape partial,
                            PartialShape::Parse(dims));
  DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, partial.ToShape());
  DOVETAIL_ASSIGN_OR_RETURN(const auto items, Items(scanner, "{", "}"));
  if (!scanner.at_end()) return scanner.Error("left over");
  if (type == ElementType::kDynamic) return Tensor();
  DOVETAIL_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  // Before there is memory for a shape that nobody could have meant.
  if (count != static_cast<int64_t>(items.size())) {
    return InvalidArgument("a tensor of shape ", shape.ToString(), " has ",
                           count, " elements, not ", items.size());
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                            Tensor::Allocate(type, shape));
  DOVETAIL_RETURN_IF_ERROR(Fill(items, tensor));
  return tensor;
}

absl::Status ReadAttributes(Scanner& scanner, Attributes& attributes) {
  Texts texts;
  DOVETAIL_RETURN_IF_ERROR(scanner.Expect("{"));
  while (!scanner.Consume("}")) {
    const std::string name(scanner.AttributeName());
    if (name.empty()) return scanner.Error("expected an attribute's name");
    DOVETAIL_RETURN_IF_ERROR(scanner.Expect(":"));
    DOVETAIL_ASSIGN_OR_RETURN(const absl::string_view value,
                              scanner.ValueUntil(",}"));
    if (!texts.emplace(name, value).second) {
      return InvalidArgument("attribute ", name, " is there twice");
    }
    scanner.Consume(",");
  }
  Reader reader(std::move(texts));
  attributes.Visit(reader);
  return reader.Finish();
}

}  // namespace dovetail
