#include "dovetail/testing/conformance/mutation/device/ordinary_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dovetail/core/graph/attributes/each_attribute.h"
#include "dovetail/core/graph/body.h"

namespace dovetail {
namespace {

constexpr double kLeast = 1e-6, kGreatest = 1e6;

bool IsOrdinary(double value) {
  const double size = std::abs(value);
  return value == 0 || (size >= kLeast && size <= kGreatest);
}

bool IsOrdinary(const Tensor& tensor) {
  if (tensor.type() == ElementType::kBoolean) {
    const auto bytes = tensor.span<uint8_t>();
    return std::all_of(bytes.begin(), bytes.end(),
                       [](uint8_t byte) { return byte <= 1; });
  }
  if (!IsFloat(tensor.type())) return true;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    if (!IsOrdinary(tensor.ElementAsDouble(i))) return false;
  }
  return true;
}

class AttributeCheck final : public EachAttribute<AttributeCheck> {
 public:
  bool ordinary() const { return ordinary_; }

  template <typename T>
  void Each(absl::string_view, T& value) {
    Look(value);
  }

 protected:
  void VisitEnum(absl::string_view, int&, absl::Span<const EnumName>) override {
  }

 private:
  void Look(double value) { ordinary_ = ordinary_ && IsOrdinary(value); }
  void Look(const std::vector<double>& values) {
    for (double value : values) Look(value);
  }
  void Look(const Tensor& tensor) {
    ordinary_ = ordinary_ && IsOrdinary(tensor);
  }
  template <typename T>
  void Look(const T&) {}

  bool ordinary_ = true;
};

bool IsOrdinary(Model& model) {
  for (const auto& node : model.nodes()) {
    AttributeCheck check;
    node->attributes().Visit(check);
    if (!check.ordinary()) return false;
    for (const auto& body : node->bodies()) {
      if (!IsOrdinary(*body->model)) return false;
    }
  }
  return true;
}

}  // namespace

bool HasOrdinaryNumbers(const Subject& subject) {
  for (const Tensor& input : subject.inputs) {
    if (!IsOrdinary(input)) return false;
  }
  return IsOrdinary(*subject.model);
}

}  // namespace dovetail
