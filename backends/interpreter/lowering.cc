#include "dovetail/backends/interpreter/lowering.h"

#include <optional>
#include <set>

#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/simplify/constant_folding.h"

namespace dovetail {
namespace {

// The type to compute in instead of other floating-point types of at most 32
// bits; nothing: each in its own. A type that was asked for comes before the
// hint.
std::optional<ElementType> ComputeType(const Config& config) {
  const std::string type =
      config.GetString(properties::kInferencePrecisionHint);
  const bool exact =
      config.GetString(properties::kExecutionModeHint) == "ACCURACY" &&
      !config.IsSet(properties::kInferencePrecisionHint);
  if (exact || type == "dynamic") return std::nullopt;
  if (type == "f16") return ElementType::kF16;
  if (type == "bf16") return ElementType::kBf16;
  return ElementType::kF32;
}

}  // namespace

absl::Status LowerForInterpreter(Model& model, const Config& config) {
  PassManager passes("interpreter");
  if (const auto type = ComputeType(config); type.has_value()) {
    // What the file says about constants holds in the types of the file:
    // weights that it stores as integers and scales in f16 are f16 numbers.
    passes.Add<ConstantFolding>();
    passes.Add<ConvertPrecision>(
        std::set<ElementType>{ElementType::kF32, ElementType::kF16,
                              ElementType::kBf16},
        *type);
  }
  AddCommonPasses(passes);
  return RunPasses(passes, model, config);
}

}  // namespace dovetail
