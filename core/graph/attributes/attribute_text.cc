#include "dovetail/core/graph/attributes/attribute_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace dovetail {
namespace {

template <typename Float>
std::string ShortestText(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

// Integers of 64 bits have more digits than a double holds, and an f32 needs
// fewer than the double of the same value would show.
std::string ElementText(const Tensor& tensor, int64_t i) {
  switch (tensor.type()) {
    case ElementType::kString:
      return QuotedText(tensor.data<std::string>()[i]);
    case ElementType::kI64:
      return absl::StrCat(tensor.ElementAsInt64(i));
    case ElementType::kU64:
      if (tensor.is_contiguous()) {
        return absl::StrCat(tensor.data<uint64_t>()[i]);
      }
      return absl::StrCat(tensor.ElementAsInt64(i));
    case ElementType::kF64:
      return NumberText(tensor.ElementAsDouble(i));
    default:
      return NumberText(static_cast<float>(tensor.ElementAsDouble(i)));
  }
}

// i32 and u32 do not fit a float.
bool NeedsDouble(ElementType type) {
  return type == ElementType::kI32 || type == ElementType::kU32;
}

class TextVisitor : public AttributeVisitor {
 public:
  explicit TextVisitor(int64_t max_elements) : max_elements_(max_elements) {}

  using AttributeVisitor::Visit;
  void Visit(absl::string_view name, bool& value) override {
    Add(name, value ? "true" : "false");
  }
  void Visit(absl::string_view name, int64_t& value) override {
    Add(name, absl::StrCat(value));
  }
  void Visit(absl::string_view name, uint64_t& value) override {
    Add(name, absl::StrCat(value));
  }
  void Visit(absl::string_view name, double& value) override {
    Add(name, NumberText(value));
  }
  void Visit(absl::string_view name, std::string& value) override {
    Add(name, QuotedText(value));
  }
  void Visit(absl::string_view name, std::vector<int64_t>& value) override {
    Add(name, absl::StrCat("[", absl::StrJoin(value, ", "), "]"));
  }
  void Visit(absl::string_view name, std::vector<double>& value) override {
    AddList(name, value, [](double v) { return NumberText(v); });
  }
  void Visit(absl::string_view name,
             std::vector<std::string>& value) override {
    AddList(name, value, [](const std::string& v) { return QuotedText(v); });
  }
  void Visit(absl::string_view name, ElementType& value) override {
    Add(name, ElementTypeName(value));
  }
  void Visit(absl::string_view name, PartialShape& value) override {
    Add(name, value.ToString());
  }
  void Visit(absl::string_view name, Tensor& value) override {
    Add(name, TensorText(value, max_elements_));
  }

  std::string Finish() { return absl::StrCat("{", text_, "}"); }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    for (const EnumName& candidate : names) {
      if (candidate.value == value) return Add(name, candidate.name);
    }
    Add(name, absl::StrCat(value));
  }

 private:
  void Add(absl::string_view name, absl::string_view value) {
    absl::StrAppend(&text_, text_.empty() ? "" : ", ", name, ": ", value);
  }
  template <typename T, typename F>
  void AddList(absl::string_view name, const std::vector<T>& values,
               F&& to_text) {
    std::vector<std::string> parts;
    for (const T& value : values) parts.push_back(to_text(value));
    Add(name, absl::StrCat("[", absl::StrJoin(parts, ", "), "]"));
  }

  int64_t max_elements_;
  std::string text_;
};

}  // namespace

std::string NumberText(double value) { return ShortestText(value); }
std::string NumberText(float value) { return ShortestText(value); }

std::string QuotedText(absl::string_view text) {
  return absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\"");
}

std::string TensorText(const Tensor& tensor, int64_t max_elements) {
  std::string text = absl::StrCat(ElementTypeName(tensor.type()),
                                  tensor.shape().ToString(), " {");
  if (tensor.has_data()) {
    const int64_t shown = std::min(tensor.element_count(), max_elements);
    for (int64_t i = 0; i < shown; ++i) {
      absl::StrAppend(&text, i == 0 ? "" : ", ",
                      NeedsDouble(tensor.type())
                          ? NumberText(tensor.ElementAsDouble(i))
                          : ElementText(tensor, i));
    }
    if (shown < tensor.element_count()) {
      absl::StrAppend(&text, shown == 0 ? "" : ", ", "…");
    }
  }
  return absl::StrCat(text, "}");
}

std::string AttributesText(const Attributes& attributes,
                           int64_t max_elements) {
  // Visit takes what it may write to; the clone keeps readers in other threads
  // undisturbed.
  TextVisitor visitor(max_elements);
  attributes.Clone()->Visit(visitor);
  return visitor.Finish();
}

}  // namespace dovetail
