// Attributes by name, for code that makes nodes of many operations without
// knowing the struct of each.
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_ATTRIBUTE_LIST_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_ATTRIBUTE_LIST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

// Enumerations are texts, spelled as in an IR.
using AttributeValue =
    std::variant<bool, int64_t, uint64_t, double, std::string,
                 std::vector<int64_t>, std::vector<double>,
                 std::vector<std::string>, ElementType, PartialShape>;
using AttributeList = std::vector<std::pair<std::string, AttributeValue>>;

// All but tensors.
AttributeList ListAttributes(const Attributes& attributes);

// What is not listed stays as it is. kInternal for a name that there is not,
// and for a value of another type.
absl::Status SetAttributes(const AttributeList& list, Attributes& attributes);

// Sets those that both have.
absl::Status CopyAttributes(const Attributes& from, Attributes& to);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_ATTRIBUTE_LIST_H_
