// Description of one input or output of a compiled model.
#ifndef DOVETAIL_CORE_PLUGIN_PORTS_PORT_INFO_H_
#define DOVETAIL_CORE_PLUGIN_PORTS_PORT_INFO_H_

#include <string>
#include <vector>

#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail {

struct PortInfo {
  std::string name;                // what messages call it
  std::vector<std::string> names;  // the tensor's names
  ElementType type = ElementType::kDynamic;
  PartialShape shape;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_PLUGIN_PORTS_PORT_INFO_H_
