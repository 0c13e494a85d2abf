// One case from its files to an answer.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_RUN_CASE_H_
#define DOVETAIL_TOOLS_CONFORMANCE_RUN_CASE_H_

#include <string>

#include "dovetail/core/properties/property.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/tools/conformance/cases/case_index.h"
#include "dovetail/tools/conformance/cases/device_exceptions.h"

namespace dovetail::conformance {

struct Outcome {
  enum class Kind { kPassed, kFailed, kSkipped };
  Kind kind = Kind::kFailed;
  std::string message;  // why it failed or was skipped
  double seconds = 0;
  // Which bounds held: "f32", "bf16", "roundings", "roundings and bf16"; empty
  // when nothing was compiled.
  std::string bounds;
};

// Reads, compiles and runs the case on a device and compares all outputs, for
// every step that the case has; of as many requests at the same time as are
// asked for. Skipped only when the device says that it does not support
// something (kUnimplemented from compiling), and where `exceptions` expect the
// failure.
Outcome RunCase(const Case& test_case, const Core& core,
                const std::string& device, const PropertyMap& properties,
                const DeviceExceptions& exceptions = {}, int requests = 1);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_RUN_CASE_H_
