#include "dovetail/core/ops/image/table.h"

#include "dovetail/core/ops/image/resize/interpolate.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Interpolate", 0, "Interpolate", OpsetRange::Between(1, 3), {2, 2}, {1, 1},
     &MakeAttributes<Interpolate0Attributes>, &InferInterpolate},
    {"Interpolate", 4, "Interpolate", OpsetRange::Between(4, 10), {3, 4},
     {1, 1}, &MakeAttributes<InterpolateAttributes>, &InferInterpolate},
    {"Interpolate", 11, "Interpolate", OpsetRange::Since(11), {2, 3}, {1, 1},
     &MakeAttributes<InterpolateAttributes>, &InferInterpolate},
};

}  // namespace

absl::Span<const OpInfo> ImageOps() { return kOps; }

}  // namespace dovetail
