// Tensor's access to single elements and what is built on it, of tensor.h.
#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/strided_runs.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/core/tensor/types/element_io.h"

namespace dovetail {
namespace {

// Where an element is: the memory to look into, and its number there.
struct Place {
  void* data;
  int64_t index;
};

Place PlaceOf(const Tensor& tensor, int64_t index) {
  // To be read, too, so where elements may be.
  void* const data = const_cast<void*>(tensor.raw_data());
  if (tensor.is_contiguous()) return {data, index};
  const int64_t offset =
      StridedOffset(tensor.shape(), tensor.strides(), index);
  return {static_cast<char*>(data) + offset, 0};
}

template <typename Number>
Number Load(const Tensor& tensor, int64_t index) {
  if (!tensor.is_on_host()) return 0;
  const Place place = PlaceOf(tensor, index);
  Number number = 0;
  LoadNumbers(tensor.type(), place.data, place.index,
              absl::MakeSpan(&number, 1));
  return number;
}

template <typename Number>
void Store(const Tensor& tensor, int64_t index, Number number) {
  if (!tensor.is_on_host()) return;
  const Place place = PlaceOf(tensor, index);
  StoreNumbers(tensor.type(), absl::MakeConstSpan(&number, 1), place.data,
               place.index);
}

int64_t SaturateToInt64(double value) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (std::isnan(value)) return 0;
  if (value >= kEnd) return std::numeric_limits<int64_t>::max();
  if (value < -kEnd) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

uint64_t SaturateToUint64(double value) {
  constexpr double kEnd = 18446744073709551616.0;  // 2^64
  if (!(value > 0)) return 0;  // NaN too
  if (value >= kEnd) return std::numeric_limits<uint64_t>::max();
  return static_cast<uint64_t>(value);
}

// Of an integer type narrower than u64.
int64_t SaturateToInteger(ElementType type, double value) {
  const int bits = BitWidth(type);
  const int64_t number = SaturateToInt64(value);
  if (bits == 64) return number;
  const int value_bits = IsSigned(type) ? bits - 1 : bits;
  const int64_t max = (int64_t{1} << value_bits) - 1;
  return std::clamp(number, IsSigned(type) ? -max - 1 : 0, max);
}

std::string ElementToString(const Tensor& tensor, int64_t index) {
  if (tensor.type() == ElementType::kString) {
    return absl::StrCat(
        "\"", absl::CHexEscape(tensor.data<std::string>()[index]), "\"");
  }
  if (tensor.type() == ElementType::kU64) {
    return absl::StrCat(Load<uint64_t>(tensor, index));
  }
  if (IsInteger(tensor.type())) {
    return absl::StrCat(Load<int64_t>(tensor, index));
  }
  if (tensor.type() == ElementType::kBoolean) {
    return Load<int64_t>(tensor, index) != 0 ? "true" : "false";
  }
  return absl::StrCat(Load<double>(tensor, index));
}

}  // namespace

double Tensor::ElementAsDouble(int64_t index) const {
  return Load<double>(*this, index);
}

int64_t Tensor::ElementAsInt64(int64_t index) const {
  if (IsFloat(type_)) return SaturateToInt64(Load<double>(*this, index));
  if (type_ != ElementType::kU64) return Load<int64_t>(*this, index);
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::min(Load<uint64_t>(*this, index), kMax));
}

void Tensor::SetElement(int64_t index, double value) const {
  if (type_ == ElementType::kU64) {
    return Store(*this, index, SaturateToUint64(std::nearbyint(value)));
  }
  if (IsInteger(type_)) {
    return Store(*this, index,
                 SaturateToInteger(type_, std::nearbyint(value)));
  }
  Store(*this, index, value);
}

absl::StatusOr<Tensor> Tensor::FromDoubles(ElementType type,
                                           const Shape& shape,
                                           absl::Span<const double> values) {
  if (type == ElementType::kString) {
    return InvalidArgument("no strings from numbers");
  }
  DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Allocate(type, shape));
  if (tensor.element_count() != static_cast<int64_t>(values.size())) {
    return InvalidArgument(values.size(), " values for shape ",
                           shape.ToString());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetElement(static_cast<int64_t>(i), values[i]);
  }
  return tensor;
}

std::vector<int64_t> ToInt64Vector(const Tensor& tensor) {
  std::vector<int64_t> values(tensor.element_count());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = tensor.ElementAsInt64(static_cast<int64_t>(i));
  }
  return values;
}

std::vector<double> ToDoubleVector(const Tensor& tensor) {
  std::vector<double> values(tensor.element_count());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = tensor.ElementAsDouble(static_cast<int64_t>(i));
  }
  return values;
}

std::string Tensor::ToString(int max_elements) const {
  std::string text =
      absl::StrCat(ElementTypeName(type_), shape_.ToString(), " ");
  if (!is_on_host()) return text + "on " + std::string(device_memory_->device());
  text += "{";
  const int64_t shown =
      std::clamp<int64_t>(max_elements, 0, element_count_);
  for (int64_t i = 0; i < shown; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", ElementToString(*this, i));
  }
  if (shown < element_count_) {
    absl::StrAppend(&text, shown > 0 ? ", " : "", "…");
  }
  return absl::StrCat(text, "}");
}

}  // namespace dovetail
