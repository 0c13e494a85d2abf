#include "dovetail/backends/cpu/compute_type.h"

#include "dovetail/backends/cpu/onednn/isa.h"
#include "dovetail/core/properties/standard_properties.h"

namespace dovetail::cpu {

ElementType ComputeType(const Config& config) {
  const std::string type =
      config.GetString(properties::kInferencePrecisionHint);
  const bool any =
      type == "dynamic" &&
      config.GetString(properties::kExecutionModeHint) != "ACCURACY";
  const bool wanted = type == "bf16" || any;
  return wanted && HasBf16() ? ElementType::kBf16 : ElementType::kF32;
}

Config ConfigInForce(const Config& config) {
  const bool zeros =
      config.GetBool(kDenormalsOptimization) &&
      config.GetString(properties::kExecutionModeHint) != "ACCURACY";
  return config
      .With(properties::kInferencePrecisionHint,
            ComputeType(config) == ElementType::kBf16 ? "bf16" : "f32")
      .With(kDenormalsOptimization, zeros ? "YES" : "NO");
}

}  // namespace dovetail::cpu
