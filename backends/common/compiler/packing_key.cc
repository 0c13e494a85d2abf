#include "dovetail/backends/common/compiler/packing_key.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace dovetail {

std::string ViewText(const Tensor& constant) {
  std::string text = absl::StrCat(ElementTypeName(constant.type()),
                                  constant.shape().ToString());
  if (!constant.is_contiguous()) {
    absl::StrAppend(&text, "/", absl::StrJoin(constant.strides(), ","));
  }
  return text;
}

}  // namespace dovetail
