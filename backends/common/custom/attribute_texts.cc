#include "dovetail/backends/common/custom/attribute_texts.h"

#include <cmath>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/graph/attributes/each_attribute.h"

namespace dovetail {
namespace {

// Six decimals, as in sources that others wrote; "1e-12" would be 0 of these.
std::string FloatText(double value) {
  std::string text = absl::StrFormat("%f", value);
  double read = 0;
  const bool is_same = absl::SimpleAtod(text, &read) &&
                       static_cast<float>(read) == static_cast<float>(value);
  return is_same || !std::isfinite(value) ? text
                                          : absl::StrFormat("%.9e", value);
}

// Attributes as values of macros; types that have none are left out.
class Values : public EachAttribute<Values> {
 public:
  using Map = std::map<std::string, std::string>;

  void Each(Name name, bool& v) { Set(name, v ? "1" : "0"); }
  void Each(Name name, int64_t& v) { Set(name, absl::StrCat(v)); }
  void Each(Name name, uint64_t& v) { Set(name, absl::StrCat(v)); }
  void Each(Name name, double& v) { Set(name, FloatText(v)); }
  void Each(Name name, std::string& v) { Set(name, v); }
  void Each(Name name, std::vector<int64_t>& v) {
    Set(name, absl::StrJoin(v, ","));
  }
  void Each(Name name, std::vector<double>& v) {
    Set(name, absl::StrJoin(v, ",", [](std::string* out, double one) {
          out->append(FloatText(one));
        }));
  }
  void Each(Name name, std::vector<std::string>& v) {
    Set(name, absl::StrJoin(v, ","));
  }
  void Each(Name name, ElementType& v) { Set(name, ElementTypeName(v)); }
  void Each(Name, PartialShape&) {}
  void Each(Name, Tensor&) {}

  const Map& map() const { return map_; }

 protected:
  void VisitEnum(absl::string_view name, int& value,
                 absl::Span<const EnumName> names) override {
    for (const EnumName& candidate : names) {
      if (candidate.value == value) return Set(name, candidate.name);
    }
  }

 private:
  void Set(Name name, absl::string_view value) {
    map_.emplace(std::string(name), std::string(value));
  }

  Map map_;
};

}  // namespace

std::map<std::string, std::string> AttributeTexts(
    const Attributes& attributes) {
  Values values;
  attributes.Clone()->Visit(values);
  return values.map();
}

}  // namespace dovetail
