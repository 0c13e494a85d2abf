#include "dovetail/core/tensor/types/element_type_set.h"

#include "absl/strings/str_cat.h"

namespace dovetail {

std::vector<ElementType> ElementTypeSet::types() const {
  std::vector<ElementType> types;
  for (ElementType type : AllElementTypes()) {
    if (Contains(type)) types.push_back(type);
  }
  return types;
}

std::string ElementTypeSet::ToString(absl::string_view before_last) const {
  const std::vector<ElementType> all = types();
  std::string text;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool last = i + 1 == all.size();
    absl::StrAppend(&text,
                    i == 0 ? ""
                    : last ? before_last
                           : ", ",
                    ElementTypeName(all[i]));
  }
  return text;
}

}  // namespace dovetail
