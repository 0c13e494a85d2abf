#include "dovetail/backends/vpu/simulator/plan_times.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/compile.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {

absl::StatusOr<PlanTimes> PlanTimes::Of(const Machine& machine,
                                        const Model& model) {
  PlanTimes times(machine);
  DOVETAIL_ASSIGN_OR_RETURN(times.network_, LowerModel(machine, model));
  DOVETAIL_ASSIGN_OR_RETURN(times.program_, Compile(machine, times.network_));
  times.layers_.resize(times.network_.size());
  for (size_t i = 0; i < times.network_.size(); ++i) {
    times.index_.emplace(times.network_[i].name, static_cast<int>(i));
  }
  std::vector<int64_t> longest(times.network_.size(), -1);
  for (size_t i = 0; i < times.program_.size(); ++i) {
    const Stage& stage = times.program_[i];
    LayerTime& layer = times.layers_[stage.layer];
    layer.cycles += stage.cycles;
    layer.macs += stage.macs;
    layer.bytes += stage.bytes;
    layer.stages.push_back(static_cast<int>(i));
    if (stage.cycles <= longest[stage.layer]) continue;
    longest[stage.layer] = stage.cycles;
    layer.lane = stage.lane;
  }
  return times;
}

const Layer* PlanTimes::Find(absl::string_view name) const {
  const auto it = index_.find(std::string(name));
  return it == index_.end() ? nullptr : &network_[it->second];
}

std::string PlanTimes::KernelName(absl::string_view layer) const {
  const auto it = index_.find(std::string(layer));
  const Lane lane =
      it == index_.end() ? Lane::kShave : layers_[it->second].lane;
  return absl::StrCat(absl::AsciiStrToLower(Name(lane)), "_f16");
}

}  // namespace dovetail::vpu
