// Attributes of operations as texts, for kernels of a user's own.
#ifndef DOVETAIL_BACKENDS_COMMON_CUSTOM_ATTRIBUTE_TEXTS_H_
#define DOVETAIL_BACKENDS_COMMON_CUSTOM_ATTRIBUTE_TEXTS_H_

#include <map>
#include <string>

#include "dovetail/core/graph/attributes.h"

namespace dovetail {

// By name, lists with commas, floats so that float has the same value again;
// without types that have no text. What an `if` reads is 0 or 1.
std::map<std::string, std::string> AttributeTexts(const Attributes& attributes);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_CUSTOM_ATTRIBUTE_TEXTS_H_
