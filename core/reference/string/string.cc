#include "dovetail/core/reference/string/string.h"

#include <algorithm>
#include <limits>
#include <string>

#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/dispatch.h"

namespace dovetail {

absl::Status StringTensorPackKernel(KernelContext& context) {
  const Tensor& symbols = context.input(2);
  return DispatchIndex(
      context.input(0).type(), context, [&](auto tag) -> absl::Status {
        using T = typename decltype(tag)::type;
        const T* begins = context.input(0).data<T>();
        const T* ends = context.input(1).data<T>();
        const char* text = symbols.data<char>();
        std::string* out = context.output(0).mutable_data<std::string>();
        for (int64_t i = 0; i < context.output(0).element_count(); ++i) {
          if (begins[i] < 0 || ends[i] < begins[i] ||
              ends[i] > symbols.element_count()) {
            return context.Error("string ", i, " is [", begins[i], ", ",
                                 ends[i], ") of ", symbols.element_count(),
                                 " symbols");
          }
          out[i].assign(text + begins[i], ends[i] - begins[i]);
        }
        return absl::OkStatus();
      });
}

absl::Status StringTensorUnpackKernel(KernelContext& context) {
  const absl::Span<const std::string> strings =
      context.input(0).span<std::string>();
  int64_t size = 0;
  for (const std::string& each : strings) {
    size += static_cast<int64_t>(each.size());
  }
  if (size > std::numeric_limits<int32_t>::max()) {
    return context.Error(size, " symbols are too many to count in i32");
  }
  DOVETAIL_RETURN_IF_ERROR(
      context.AllocateOutput(2, ElementType::kU8, Shape({size})));
  int32_t* begins = context.output(0).mutable_data<int32_t>();
  int32_t* ends = context.output(1).mutable_data<int32_t>();
  uint8_t* symbols = context.output(2).mutable_data<uint8_t>();
  int32_t at = 0;
  for (const std::string& each : strings) {
    *begins++ = at;
    std::copy(each.begin(), each.end(), symbols + at);
    at += static_cast<int32_t>(each.size());
    *ends++ = at;
  }
  return absl::OkStatus();
}

}  // namespace dovetail
