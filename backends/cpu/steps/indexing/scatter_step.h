// The steps of scatters. Inputs: the data, the updates, and indices that are
// not known before. The output may lie where the data does.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SCATTER_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SCATTER_STEP_H_

#include <memory>
#include <string>

#include "dovetail/backends/common/kernels/indexing/scatter.h"
#include "dovetail/backends/common/kernels/indexing/scatter_runs.h"
#include "dovetail/backends/common/steps/step.h"

namespace dovetail::cpu {

// `what` is for errors about indices; the output has elements.
std::unique_ptr<Step> MakeScatterStep(const host::ScatterShape& shape,
                                      const host::ScatterUpdate& update,
                                      bool is_i64, std::string what);
std::unique_ptr<Step> MakeScatterElementsStep(host::ScatterElementsShape shape,
                                              const host::ScatterUpdate& update,
                                              int64_t data_bytes, bool is_i64,
                                              std::string what);
std::unique_ptr<Step> MakeScatterByRunsStep(host::ScatterRuns runs,
                                            const host::ScatterUpdate& update,
                                            int element_size);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SCATTER_STEP_H_
