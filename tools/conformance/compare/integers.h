// Bounds for quantized networks.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_COMPARE_INTEGERS_H_
#define DOVETAIL_TOOLS_CONFORMANCE_COMPARE_INTEGERS_H_

#include <string>

#include "dovetail/core/properties/property.h"
#include "dovetail/core/runtime/runtime.h"

namespace dovetail::conformance {

// Whether `device` computes quantized networks with integers when it compiles
// with `properties`, so that AllowIntegers is right for it: it says that it can
// (INT8 in OPTIMIZATION_CAPABILITIES), and neither the properties nor what it
// takes without them ask for f32 or for accuracy. False for unknown devices.
bool MayUseIntegers(const Core& core, const std::string& device,
                    const PropertyMap& properties);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_COMPARE_INTEGERS_H_
