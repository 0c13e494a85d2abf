#include "dovetail/core/ops/structural/known_tensor.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dovetail {
namespace {

// Beyond 2^53 an interval's bounds are no exact integers.
bool AllExact(const std::vector<int64_t>& values) {
  constexpr int64_t kExact = int64_t{1} << 53;
  return std::all_of(values.begin(), values.end(),
                     [](int64_t v) { return -kExact < v && v < kExact; });
}

}  // namespace

std::optional<Tensor> KnownIntegerTensor(const OutputPort& port) {
  if (port.type != ElementType::kI32 && port.type != ElementType::kI64) {
    return std::nullopt;
  }
  if (!port.value.has_value() || !port.shape.is_static()) return std::nullopt;
  const auto values = port.value->ToInt64();
  if (!values.has_value() || !AllExact(*values)) return std::nullopt;
  const std::vector<double> numbers(values->begin(), values->end());
  const auto shape = port.shape.ToShape();
  if (!shape.ok()) return std::nullopt;
  auto tensor = Tensor::FromDoubles(port.type, *shape, numbers);
  return tensor.ok() ? std::optional<Tensor>(*std::move(tensor)) : std::nullopt;
}

}  // namespace dovetail
