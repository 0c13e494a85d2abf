#include "dovetail/core/ops/testing/text_attributes.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {
namespace {

bool Parse(absl::string_view text, bool& value) {
  return absl::SimpleAtob(text, &value);
}
bool Parse(absl::string_view text, double& value) {
  return absl::SimpleAtod(text, &value);
}
template <typename T>
bool Parse(absl::string_view text, T& value) {
  return absl::SimpleAtoi(text, &value);
}
bool Parse(absl::string_view text, std::string& value) {
  value.assign(text.data(), text.size());
  return true;
}
template <typename T>
bool Parse(absl::string_view text, std::vector<T>& value) {
  value.clear();
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    value.emplace_back();
    if (!Parse(part, value.back())) return false;
  }
  return true;
}
bool Parse(absl::string_view text, ElementType& value) {
  const absl::StatusOr<ElementType> type = ParseElementType(text);
  if (type.ok()) value = *type;
  return type.ok();
}
bool Parse(absl::string_view text, PartialShape& value) {
  const absl::StatusOr<PartialShape> shape = PartialShape::Parse(text);
  if (shape.ok()) value = *shape;
  return shape.ok();
}

// Sets what is visited from texts, and notes the first thing that is wrong.
class TextReader : public EachAttribute<TextReader> {
 public:
  explicit TextReader(const TextAttributes& texts) : unread_(texts) {}

  template <typename T>
  void Each(absl::string_view name, T& value) {
    std::string text;
    if (Take(name, text) && !Parse(text, value)) Fail(name, text);
  }
  void Each(absl::string_view, Tensor&) {}  // there is no text for it

  absl::Status Finish() {
    if (status_.ok() && !unread_.empty()) {
      return InvalidArgument("no attribute is called ",
                             unread_.begin()->first);
    }
    return status_;
  }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    std::string text;
    if (!Take(name, text)) return;
    for (const EnumName& each : names) {
      if (!absl::EqualsIgnoreCase(each.name, text)) continue;
      value = each.value;
      return;
    }
    Fail(name, text);
  }

 private:
  bool Take(absl::string_view name, std::string& text) {
    const auto it = unread_.find(std::string(name.data(), name.size()));
    if (it == unread_.end()) return false;
    text = it->second;
    unread_.erase(it);
    return true;
  }

  void Fail(absl::string_view name, absl::string_view text) {
    status_.Update(
        InvalidArgument("attribute ", name, " cannot be '", text, "'"));
  }

  TextAttributes unread_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<const OpInfo*> FindOpByName(absl::Span<const OpInfo> ops,
                                           absl::string_view name) {
  for (const OpInfo& op : ops) {
    if (absl::StrCat(op.type, "-", op.version) == name) return &op;
  }
  return NotFound("no row of this table is called ", name);
}

absl::StatusOr<std::unique_ptr<Attributes>> AttributesFromText(
    const OpInfo& op, const TextAttributes& texts) {
  std::unique_ptr<Attributes> attributes = op.make_attributes();
  TextReader reader(texts);
  attributes->Visit(reader);
  DOVETAIL_RETURN_IF_ERROR(reader.Finish());
  return attributes;
}

}  // namespace dovetail
