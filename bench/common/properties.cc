#include "dovetail/bench/common/properties.h"

#include <string>

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<PropertyMap> PropertiesOf(absl::Span<char* const> arguments) {
  PropertyMap properties;
  for (const std::string text : arguments) {
    const size_t end = text.find('=');
    if (end == std::string::npos || end == 0) {
      return InvalidArgument("argument \"", text,
                             "\" is no property; write NAME=VALUE");
    }
    properties[text.substr(0, end)] = text.substr(end + 1);
  }
  return properties;
}

}  // namespace dovetail
