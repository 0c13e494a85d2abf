#include "dovetail/transformations/common/attribute_list.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

// A visitor with one function for all types; an enumeration is a text.
template <typename Derived>
class EachAttribute : public AttributeVisitor {
 public:
  void Visit(absl::string_view name, bool& v) override { On(name, v); }
  void Visit(absl::string_view name, int64_t& v) override { On(name, v); }
  void Visit(absl::string_view name, uint64_t& v) override { On(name, v); }
  void Visit(absl::string_view name, double& v) override { On(name, v); }
  void Visit(absl::string_view name, std::string& v) override { On(name, v); }
  void Visit(absl::string_view name, std::vector<int64_t>& v) override {
    On(name, v);
  }
  void Visit(absl::string_view name, std::vector<double>& v) override {
    On(name, v);
  }
  void Visit(absl::string_view name, std::vector<std::string>& v) override {
    On(name, v);
  }
  void Visit(absl::string_view name, ElementType& v) override { On(name, v); }
  void Visit(absl::string_view name, PartialShape& v) override { On(name, v); }
  void Visit(absl::string_view, Tensor&) override {}

 private:
  template <typename T>
  void On(absl::string_view name, T& value) {
    static_cast<Derived*>(this)->Each(name, value);
  }
};

std::string NameOf(int value, absl::Span<const EnumName> names) {
  for (const EnumName& each : names) {
    if (each.value == value) return std::string(each.name);
  }
  return "";
}

class Lister : public EachAttribute<Lister> {
 public:
  template <typename T>
  void Each(absl::string_view name, const T& value) {
    list.emplace_back(std::string(name), value);
  }

  AttributeList list;

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    Each(name, NameOf(value, names));
  }
};

class Setter : public EachAttribute<Setter> {
 public:
  explicit Setter(const AttributeList& list)
      : list_(list), was_set_(list.size(), false) {}

  template <typename T>
  void Each(absl::string_view name, T& value) {
    const AttributeValue* wanted = Find(name);
    if (wanted == nullptr) return;
    const T* typed = std::get_if<T>(wanted);
    if (typed == nullptr) return WrongType(name);
    value = *typed;
  }

  // Also an error when something is on the list that was never visited.
  absl::Status FinishAll() const {
    DOVETAIL_RETURN_IF_ERROR(status_);
    for (size_t i = 0; i < list_.size(); ++i) {
      if (was_set_[i]) continue;
      return Internal("there is no attribute '", list_[i].first, "' to set");
    }
    return absl::OkStatus();
  }
  const absl::Status& status() const { return status_; }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    std::string text = NameOf(value, names);
    Each(name, text);
    for (const EnumName& each : names) {
      if (!absl::EqualsIgnoreCase(each.name, text)) continue;
      value = each.value;
      return;
    }
    status_.Update(Internal("attribute ", name, " cannot be '", text, "'"));
  }

 private:
  const AttributeValue* Find(absl::string_view name) {
    for (size_t i = 0; i < list_.size(); ++i) {
      if (list_[i].first != name) continue;
      was_set_[i] = true;
      return &list_[i].second;
    }
    return nullptr;
  }

  void WrongType(absl::string_view name) {
    status_.Update(Internal("attribute ", name, " has another type"));
  }

  const AttributeList& list_;
  std::vector<bool> was_set_;
  absl::Status status_;
};

// Visiting for reading needs an object that is not const, too.
Attributes& Mutable(const Attributes& attributes) {
  return const_cast<Attributes&>(attributes);
}

}  // namespace

AttributeList ListAttributes(const Attributes& attributes) {
  Lister lister;
  Mutable(attributes).Visit(lister);
  return std::move(lister.list);
}

absl::Status SetAttributes(const AttributeList& list, Attributes& attributes) {
  Setter setter(list);
  attributes.Visit(setter);
  return setter.FinishAll();
}

absl::Status CopyAttributes(const Attributes& from, Attributes& to) {
  const AttributeList list = ListAttributes(from);
  Setter setter(list);
  to.Visit(setter);
  return setter.status();
}

}  // namespace dovetail
