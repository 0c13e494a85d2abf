// What configurations may ask a layer for by name.
#ifndef DOVETAIL_BACKENDS_VPU_CUSTOM_LAYER_PARAMETERS_H_
#define DOVETAIL_BACKENDS_VPU_CUSTOM_LAYER_PARAMETERS_H_

#include <map>
#include <string>

#include "dovetail/core/graph/node.h"

namespace dovetail::vpu {

// The attributes as texts, lists by commas; and of convolutions of static
// weights what they had as attributes in files before version 10, for which
// configurations were written: "kernel" (height first), "output" and
// "group".
std::map<std::string, std::string> LayerParameters(const Node& node);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CUSTOM_LAYER_PARAMETERS_H_
