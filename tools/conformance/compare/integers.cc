#include "dovetail/tools/conformance/compare/integers.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::conformance {
namespace {

bool CanMultiplyIntegers(const Core& core, const std::string& device) {
  const auto capabilities =
      core.GetProperty(device, properties::kOptimizationCapabilities);
  if (!capabilities.ok()) return false;
  const std::vector<std::string> words = absl::StrSplit(*capabilities, ' ');
  return std::find(words.begin(), words.end(), "INT8") != words.end();
}

// The value that will be in force; empty for a key that the device lacks.
std::string ValueOf(absl::string_view name, const Core& core,
                    const std::string& device, const PropertyMap& properties) {
  const auto given = properties.find(std::string(name));
  if (given != properties.end()) return given->second;
  return core.GetProperty(device, name).value_or("");
}

}  // namespace

bool MayUseIntegers(const Core& core, const std::string& device,
                    const PropertyMap& properties) {
  const auto is = [&](absl::string_view name, absl::string_view value) {
    return absl::EqualsIgnoreCase(ValueOf(name, core, device, properties),
                                  value);
  };
  return CanMultiplyIntegers(core, device) &&
         !is(properties::kInferencePrecisionHint, "f32") &&
         !is(properties::kExecutionModeHint, "ACCURACY");
}

}  // namespace dovetail::conformance
