#include "dovetail/testing/conformance/mutation/mutate_attributes.h"

#include <utility>

#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/testing/conformance/mutation/mutate_tensor.h"
#include "dovetail/testing/conformance/mutation/special_values.h"

namespace dovetail {
namespace {

// Calls Change on attribute number `chosen`; what it has seen in the end is how
// many there are.
class AttributeMutator final : public EachAttribute<AttributeMutator> {
 public:
  AttributeMutator(Random& random, const std::vector<int64_t>& extents,
                   int chosen)
      : random_(random), extents_(extents), chosen_(chosen) {}

  int seen() const { return seen_; }
  const std::string& name() const { return name_; }

  template <typename T>
  void Each(absl::string_view name, T& value) {
    if (IsChosen(name)) Change(value);
  }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    if (!IsChosen(name) || names.empty()) return;
    value = random_.Of(names).value;
  }

 private:
  bool IsChosen(absl::string_view name) {
    if (seen_++ != chosen_) return false;
    name_.assign(name.data(), name.size());
    return true;
  }

  void Change(bool& value) { value = !value; }
  void Change(int64_t& value) { value = SpecialInteger(random_, extents_); }
  void Change(uint64_t& value) {
    value = static_cast<uint64_t>(SpecialInteger(random_, extents_));
  }
  void Change(double& value) { value = SpecialNumber(random_, extents_); }
  void Change(std::string& value) { value = SpecialText(random_, value); }
  void Change(ElementType& value) { value = SpecialType(random_); }
  void Change(PartialShape& value) {
    value = SpecialPartialShape(random_, value);
  }
  void Change(Tensor& value) {
    value = WithOtherElements(random_, value, extents_);
  }

  template <typename T>
  void Change(std::vector<T>& values) {
    switch (random_.Below(8)) {
      case 0:
        return values.clear();
      case 1:
        if (!values.empty()) values.pop_back();
        return;
      case 2:
        values.emplace_back();
        return Change(values.back());
      case 3:
        return values.resize(100, values.empty() ? T() : T(values[0]));
      case 4:
        for (T& value : values) Change(value);
        return;
      default:
        if (!values.empty()) Change(random_.Of(values));
    }
  }

  Random& random_;
  const std::vector<int64_t>& extents_;
  const int chosen_;
  int seen_ = 0;
  std::string name_;
};

}  // namespace

std::string MutateAttribute(Random& random, const std::vector<int64_t>& extents,
                            Attributes& attributes) {
  AttributeMutator count(random, extents, -1);
  attributes.Visit(count);
  if (count.seen() == 0) return "";
  AttributeMutator change(random, extents,
                          static_cast<int>(random.Below(count.seen())));
  attributes.Visit(change);
  return change.name();
}

}  // namespace dovetail
