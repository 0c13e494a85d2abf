#include "dovetail/core/graph/op_info.h"

#include "absl/strings/str_cat.h"

namespace dovetail {

std::string OpInfo::ToString() const {
  return absl::StrCat(type, "-", version);
}

}  // namespace dovetail
