#include "dovetail/testing/conformance/mutation/device/ordinary_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/graph/body.h"

namespace dovetail {
namespace {

// Sizes that are no zero.
struct Range {
  double least, greatest;
};

// Squares of these are numbers of f16.
constexpr Range kWide = {1e-6, 1e6}, kOfHalfFloats = {1e-2, 1e2};

bool IsOrdinary(double value, const Range& range) {
  const double size = std::abs(value);
  return value == 0 || (size >= range.least && size <= range.greatest);
}

bool IsOrdinary(const Tensor& tensor, const Range& range) {
  if (tensor.type() == ElementType::kBoolean) {
    const auto bytes = tensor.span<uint8_t>();
    return std::all_of(bytes.begin(), bytes.end(),
                       [](uint8_t byte) { return byte <= 1; });
  }
  if (!IsFloat(tensor.type())) return true;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    if (!IsOrdinary(tensor.ElementAsDouble(i), range)) return false;
  }
  return true;
}

class AttributeCheck final : public EachAttribute<AttributeCheck> {
 public:
  explicit AttributeCheck(const Range& range) : range_(range) {}

  bool ordinary() const { return ordinary_; }

  template <typename T>
  void Each(absl::string_view, T& value) {
    Look(value);
  }

 protected:
  void VisitEnum(absl::string_view, int&, absl::Span<const EnumName>) override {
  }

 private:
  void Look(double value) {
    ordinary_ = ordinary_ && IsOrdinary(value, range_);
  }
  void Look(const std::vector<double>& values) {
    for (double value : values) Look(value);
  }
  void Look(const Tensor& tensor) {
    ordinary_ = ordinary_ && IsOrdinary(tensor, range_);
  }
  template <typename T>
  void Look(const T&) {}

  const Range& range_;
  bool ordinary_ = true;
};

bool IsOrdinary(Model& model, const Range& range) {
  for (const auto& node : model.nodes()) {
    AttributeCheck check(range);
    node->attributes().Visit(check);
    if (!check.ordinary()) return false;
    for (const auto& body : node->bodies()) {
      if (!IsOrdinary(*body->model, range)) return false;
    }
  }
  return true;
}

}  // namespace

bool HasOrdinaryNumbers(const Subject& subject, bool of_f16) {
  const Range& range = of_f16 ? kOfHalfFloats : kWide;
  for (const Tensor& input : subject.inputs) {
    if (!IsOrdinary(input, range)) return false;
  }
  return IsOrdinary(*subject.model, range);
}

}  // namespace dovetail
