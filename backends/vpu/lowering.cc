#include "dovetail/backends/vpu/lowering.h"

#include <set>

#include "dovetail/backends/common/custom/stand_in.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/pass/pass_manager.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/precision/convert_precision.h"
#include "dovetail/transformations/simplify/constant_folding.h"
#include "dovetail/transformations/simplify/dead_code.h"

namespace dovetail::vpu {

absl::Status LowerForVpu(Model& model, const Config& config,
                         const CustomLayers& custom) {
  if (!custom.empty()) {
    DOVETAIL_RETURN_IF_ERROR(AddStandIns(model, PlacesOf(custom)));
  }
  PassManager passes("vpu");
  passes.Add<DeadCode>();
  // What the file says about constants holds in the types of the file.
  passes.Add<ConstantFolding>();
  passes.Add<ConvertPrecision>(
      std::set<ElementType>{ElementType::kF32, ElementType::kBf16},
      ElementType::kF16);
  AddCommonPasses(passes);
  DOVETAIL_RETURN_IF_ERROR(RunPasses(passes, model, config));
  if (custom.empty()) return absl::OkStatus();
  DOVETAIL_RETURN_IF_ERROR(RemoveStandIns(model));
  return model.Infer();
}

}  // namespace dovetail::vpu
