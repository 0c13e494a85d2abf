#include "dovetail/transformations/common/attribute_list.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/attributes/each_attribute.h"

namespace dovetail {
namespace {

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

  void Each(absl::string_view, const Tensor&) {}

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
  void Each(absl::string_view, Tensor&) {}

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
