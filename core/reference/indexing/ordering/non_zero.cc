#include <cstdint>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/ordering/non_zero.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/indexing/ordering/ordering.h"

namespace dovetail {
namespace {

// The numbers of the elements other than 0, ascending.
template <typename T>
std::vector<int64_t> Find(const Tensor& data) {
  std::vector<int64_t> found;
  const T* const elements = data.data<T>();
  for (int64_t i = 0; i < data.element_count(); ++i) {
    if (elements[i] != T(0)) found.push_back(i);
  }
  return found;
}

template <typename T>
void WriteCoordinates(const Shape& shape, const std::vector<int64_t>& found,
                      T* out) {
  const int64_t count = static_cast<int64_t>(found.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = found[i];
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      out[axis * count + i] = static_cast<T>(rest % shape[axis]);
      rest /= shape[axis];
    }
  }
}

}  // namespace

absl::Status NonZeroKernel(KernelContext& context) {
  const Tensor& data = context.input(0);
  const ElementType type = context.attributes<NonZeroAttributes>().output_type;
  std::vector<int64_t> found;
  if (data.type() == ElementType::kBoolean) {
    found = Find<uint8_t>(data);
  } else {
    DOVETAIL_RETURN_IF_ERROR(
        DispatchNumeric(data.type(), context, [&](auto tag) {
          found = Find<typename decltype(tag)::type>(data);
          return absl::OkStatus();
        }));
  }
  const Shape shape = data.rank() == 0 ? Shape{1} : data.shape();
  DOVETAIL_RETURN_IF_ERROR(context.AllocateOutput(
      0, type, Shape{shape.rank(), static_cast<int64_t>(found.size())}));
  return DispatchIndex(type, context, [&](auto tag) {
    using T = typename decltype(tag)::type;
    WriteCoordinates(shape, found, context.output(0).mutable_data<T>());
    return absl::OkStatus();
  });
}

}  // namespace dovetail
