// What a user says of how inferences are shared among devices.
#ifndef DOVETAIL_BACKENDS_COMMON_SCHEDULING_SHARING_OPTIONS_H_
#define DOVETAIL_BACKENDS_COMMON_SCHEDULING_SHARING_OPTIONS_H_

#include <vector>

#include "dovetail/backends/common/scheduling/multi_executable.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/properties/config.h"
#include "dovetail/core/properties/property.h"

namespace dovetail::multi {

// SCHEDULE_POLICY, ENABLE_RUNTIME_FALLBACK, DEVICE_PROPERTIES and those that
// any device has.
std::vector<PropertySpec> SharingProperties();

// Of a configuration with these, for the model.
MultiOptions SharingOptions(const Model& model, const Config& config);

}  // namespace dovetail::multi

#endif  // DOVETAIL_BACKENDS_COMMON_SCHEDULING_SHARING_OPTIONS_H_
