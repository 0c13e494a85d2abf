#include "dovetail/core/graph/attributes.h"

#include <cstring>
#include <utility>
#include <variant>

#include "dovetail/core/graph/attributes/attribute_text.h"
#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/graph/attributes/hashing.h"

namespace dovetail {
namespace {

using AttributeValue =
    std::variant<bool, int64_t, uint64_t, double, std::string,
                 std::vector<int64_t>, std::vector<double>,
                 std::vector<std::string>, ElementType, PartialShape, Tensor,
                 int>;

// Notes all that it is shown, in order.
class Collector : public EachAttribute<Collector> {
 public:
  template <typename T>
  void Each(absl::string_view name, const T& value) {
    values_.emplace_back(std::string(name), AttributeValue(value));
  }

  const std::vector<std::pair<std::string, AttributeValue>>& values() const {
    return values_;
  }

 protected:
  void VisitEnum(absl::string_view name, int& v,
                 absl::Span<const EnumName>) override {
    Each(name, v);
  }

 private:
  std::vector<std::pair<std::string, AttributeValue>> values_;
};

// Readers get a clone: Visit may write what it shows, which other threads that
// look at the same attributes must not notice.
Collector Collect(const Attributes& attributes) {
  Collector collector;
  attributes.Clone()->Visit(collector);
  return collector;
}

template <typename T>
bool EqualValues(const T& a, const T& b) {
  return a == b;
}
// By bits, so that NaN equals itself and the hash agrees.
bool EqualValues(double a, double b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}
bool EqualValues(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() ||
          std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
bool EqualValues(const Tensor& a, const Tensor& b) {
  if (!a.has_data() || !b.has_data()) return a.has_data() == b.has_data();
  return a.Equals(b);
}

struct HashValue {
  StableHash& hash;
  void operator()(bool v) { hash.Add(v); }
  void operator()(int v) { hash.Add(static_cast<uint64_t>(v)); }
  void operator()(int64_t v) { hash.Add(static_cast<uint64_t>(v)); }
  void operator()(uint64_t v) { hash.Add(v); }
  void operator()(double v) { hash.AddDouble(v); }
  void operator()(const std::string& v) { hash.AddText(v); }
  void operator()(ElementType v) { hash.Add(static_cast<uint64_t>(v)); }
  void operator()(const PartialShape& v) { hash.AddShape(v); }
  void operator()(const Tensor& v) { hash.AddTensor(v); }
  template <typename T>
  void operator()(const std::vector<T>& values) {
    hash.Add(values.size());
    for (const T& value : values) (*this)(value);
  }
};

}  // namespace

std::string ToString(const Attributes& attributes) {
  constexpr int64_t kMaxElements = 16;
  return AttributesText(attributes, kMaxElements);
}

bool Equal(const Attributes& a, const Attributes& b) {
  if (a.type_name() != b.type_name()) return false;
  const Collector left = Collect(a), right = Collect(b);
  if (left.values().size() != right.values().size()) return false;
  for (size_t i = 0; i < left.values().size(); ++i) {
    const auto& [left_name, left_value] = left.values()[i];
    const auto& [right_name, right_value] = right.values()[i];
    if (left_name != right_name || left_value.index() != right_value.index()) {
      return false;
    }
    const bool equal = std::visit(
        [&other = right_value](const auto& value) {
          using T = std::decay_t<decltype(value)>;
          return EqualValues(value, std::get<T>(other));
        },
        left_value);
    if (!equal) return false;
  }
  return true;
}

uint64_t Hash(const Attributes& attributes) {
  StableHash hash;
  const Collector collector = Collect(attributes);
  for (const auto& [name, value] : collector.values()) {
    hash.AddText(name);
    std::visit(HashValue{hash}, value);
  }
  return hash.value();
}

std::optional<std::string> FindStringAttribute(const Attributes& attributes,
                                               absl::string_view name) {
  const Collector collector = Collect(attributes);
  for (const auto& [candidate, value] : collector.values()) {
    if (candidate != name) continue;
    if (const std::string* text = std::get_if<std::string>(&value)) {
      return *text;
    }
  }
  return std::nullopt;
}

}  // namespace dovetail
