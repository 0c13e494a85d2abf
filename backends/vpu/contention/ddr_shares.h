// DDR's time, shared among stages that run at once.
#ifndef DOVETAIL_BACKENDS_VPU_CONTENTION_DDR_SHARES_H_
#define DOVETAIL_BACKENDS_VPU_CONTENTION_DDR_SHARES_H_

#include <vector>

namespace dovetail::vpu {

// `demands` say which part of its time each stage, alone, keeps one stream of
// DDR busy, 0 to 1; DDR serves `streams` at once, at least 1. The answer is how
// fast each stage goes, 0 to 1. It waits where both it and another one want
// DDR: of its time, so much longer as the product of its own part and of the
// others' parts, over `streams`; all together get no more than there is.
std::vector<double> SpeedsUnderSharing(const std::vector<double>& demands,
                                       double streams);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_CONTENTION_DDR_SHARES_H_
