#include "dovetail/backends/cpu/compute_type.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/numbers.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"
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

bool MayRoundActivations(const Config& config) {
  return config.GetString(properties::kInferencePrecisionHint) != "f32" &&
         config.GetString(properties::kExecutionModeHint) != "ACCURACY";
}

namespace {

// As a number or as it is written, which may be more than int64_t holds.
std::string GroupInForce(const Config& config) {
  if (!HasQuantizedGemm()) return "0";
  const absl::string_view name = properties::kDynamicQuantizationGroupSize;
  return MayRoundActivations(config) || config.IsSet(name)
             ? config.GetString(name)
             : "0";
}

}  // namespace

int64_t QuantizationGroup(const Config& config) {
  uint64_t size = 0;
  if (!absl::SimpleAtoi(GroupInForce(config), &size)) return 0;
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::min(size, kMost));
}

Config ConfigInForce(const Config& config) {
  const bool zeros =
      config.GetBool(kDenormalsOptimization) &&
      config.GetString(properties::kExecutionModeHint) != "ACCURACY";
  return config
      .With(properties::kInferencePrecisionHint,
            ComputeType(config) == ElementType::kBf16 ? "bf16" : "f32")
      .With(properties::kDynamicQuantizationGroupSize, GroupInForce(config))
      .With(kDenormalsOptimization, zeros ? "YES" : "NO");
}

}  // namespace dovetail::cpu
