// DDR's time, shared among stages that run at once.
#ifndef DOVETAIL_BACKENDS_VPU_CONTENTION_DDR_SHARES_H_
#define DOVETAIL_BACKENDS_VPU_CONTENTION_DDR_SHARES_H_

#include <vector>

namespace dovetail::vpu {

// `demands` say which part of its time each stage, alone, keeps one stream
// busy, 0 to 1; DDR serves `streams` at once. The answer is how fast each stage
// goes, 0 to 1: 1 for those that ask for no more than their fair share; the
// others share alike what is left (max-min fairness).
std::vector<double> SpeedsUnderSharing(const std::vector<double>& demands,
                                       double streams);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CONTENTION_DDR_SHARES_H_
