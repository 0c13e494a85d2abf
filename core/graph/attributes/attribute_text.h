// Attribute values as the text form of a model spells them; parse.h of
// core/ops/text reads the same.
#ifndef DOVETAIL_CORE_GRAPH_ATTRIBUTES_ATTRIBUTE_TEXT_H_
#define DOVETAIL_CORE_GRAPH_ATTRIBUTES_ATTRIBUTE_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// The shortest decimal that reads back as the same number; "inf", "-inf",
// "nan".
std::string NumberText(double value);
std::string NumberText(float value);
// In double quotes, with what could not stand there written as C escapes.
std::string QuotedText(absl::string_view text);

// "f32[2] {1, 2}". A tensor of more than `max_elements` elements shows the
// first of them and "…", from which it cannot be read back.
std::string TensorText(const Tensor& tensor, int64_t max_elements);

// "{axis: 1, mode: constant, names: ["a"]}" in the order of Visit.
std::string AttributesText(const Attributes& attributes, int64_t max_elements);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_ATTRIBUTES_ATTRIBUTE_TEXT_H_
