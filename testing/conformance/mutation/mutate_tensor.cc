#include "dovetail/testing/conformance/mutation/mutate_tensor.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dovetail/testing/conformance/mutation/special_values.h"

namespace dovetail {
namespace {

// Of one tensor of its own memory.
class ElementMutator {
 public:
  ElementMutator(Random& random, const Tensor& tensor,
                 const std::vector<int64_t>& extents)
      : random_(random),
        tensor_(tensor),
        extents_(extents),
        count_(static_cast<size_t>(tensor.element_count())) {}

  void Run() {
    if (count_ == 0) return;
    switch (random_.Below(8)) {
      case 0:
        return SetAll();
      case 1:
        return SetEach();
      case 2:
        return ExchangeSome();
      case 3:
        return FlipBits();
      default:
        for (size_t i = 1 + random_.Below(4); i > 0; --i) {
          Set(random_.Below(count_), AnyNumber());
        }
    }
  }

 private:
  double AnyNumber() {
    return IsFloat(tensor_.type())
               ? SpecialNumber(random_, extents_)
               : static_cast<double>(SpecialInteger(random_, extents_));
  }

  void Set(size_t i, double value) {
    if (tensor_.type() == ElementType::kString) {
      std::string& text = tensor_.mutable_data<std::string>()[i];
      text = SpecialText(random_, text);
    } else {
      tensor_.SetElement(static_cast<int64_t>(i), value);
    }
  }

  void SetAll() {
    const double value = AnyNumber();
    for (size_t i = 0; i < count_; ++i) Set(i, value);
  }

  void SetEach() {
    for (size_t i = 0; i < count_; ++i) {
      if (random_.OneIn(2)) Set(i, AnyNumber());
    }
  }

  void ExchangeSome() {
    for (size_t i = 1 + random_.Below(4); i > 0; --i) {
      const size_t a = random_.Below(count_), b = random_.Below(count_);
      if (tensor_.type() == ElementType::kString) {
        auto* texts = tensor_.mutable_data<std::string>();
        std::swap(texts[a], texts[b]);
        continue;
      }
      const auto at = [&](size_t i) { return static_cast<int64_t>(i); };
      const double value = tensor_.ElementAsDouble(at(a));
      tensor_.SetElement(at(a), tensor_.ElementAsDouble(at(b)));
      tensor_.SetElement(at(b), value);
    }
  }

  // NaNs of every payload, for example, and booleans that are neither 0 nor 1.
  void FlipBits() {
    if (tensor_.type() == ElementType::kString) return SetAll();
    auto* bytes = static_cast<uint8_t*>(tensor_.mutable_raw_data());
    for (size_t i = 1 + random_.Below(8); i > 0; --i) {
      bytes[random_.Below(static_cast<size_t>(tensor_.byte_size()))] ^=
          static_cast<uint8_t>(random_.Next());
    }
  }

  Random& random_;
  const Tensor& tensor_;
  const std::vector<int64_t>& extents_;
  const size_t count_;
};

}  // namespace

Tensor WithOtherElements(Random& random, const Tensor& tensor,
                         const std::vector<int64_t>& extents) {
  absl::StatusOr<Tensor> changed = tensor.Clone();
  if (!changed.ok()) return tensor;
  ElementMutator(random, *changed, extents).Run();
  return *std::move(changed);
}

Tensor InShape(const Tensor& tensor, const Shape& shape) {
  absl::StatusOr<Tensor> result = Tensor::Allocate(tensor.type(), shape);
  if (!result.ok()) return tensor;
  const int64_t count = tensor.element_count();
  if (count == 0) return *std::move(result);
  for (int64_t i = 0; i < result->element_count(); ++i) {
    if (tensor.type() == ElementType::kString) {
      result->mutable_data<std::string>()[i] =
          tensor.data<std::string>()[i % count];
    } else {
      result->SetElement(i, tensor.ElementAsDouble(i % count));
    }
  }
  return *std::move(result);
}

Tensor InType(const Tensor& tensor, ElementType type) {
  absl::StatusOr<Tensor> converted = ConvertTensor(tensor, type);
  if (converted.ok()) return *std::move(converted);
  absl::StatusOr<Tensor> empty = Tensor::Allocate(type, tensor.shape());
  return empty.ok() ? *std::move(empty) : tensor;
}

}  // namespace dovetail
