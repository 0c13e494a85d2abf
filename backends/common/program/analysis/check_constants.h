// Constants of an imported model, before something reads them that does not ask
// whether they are damaged.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_CHECK_CONSTANTS_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_CHECK_CONSTANTS_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Compares all constants of the model and its bodies with their checksums that
// never were; kDataLoss names one that is damaged. Plans need it not, see
// PlanBuilder::ConstantOf, but passes and reference kernels do.
absl::Status CheckConstants(const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_ANALYSIS_CHECK_CONSTANTS_H_
