#include "dovetail/backends/vpu/program/lanes.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {

std::string LanesOf(const Machine& machine, const Stage& stage, int executor) {
  const std::string unit(Name(stage.lane));
  if (stage.lane == Lane::kDma) return unit;
  if (stage.lane == Lane::kNce) return absl::StrCat(unit, " ", executor);
  // An executor's SHAVEs work in its first slices. Its other slices have none.
  const auto first = static_cast<int64_t>(
      std::max(machine.cmx_slices, machine.shaves) * executor);
  std::string lanes = absl::StrCat(unit, " ", first);
  for (int64_t i = 1; i < stage.shaves; ++i) {
    absl::StrAppend(&lanes, ", ", unit, " ", first + i);
  }
  return lanes;
}

}  // namespace dovetail::vpu
