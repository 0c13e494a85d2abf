#include "dovetail/backends/vpu/program/program.h"

#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/vpu/compiler/compile.h"
#include "dovetail/backends/vpu/compiler/lower_model.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"

namespace dovetail::vpu {
namespace {

absl::Status CheckLayers(const Network& network) {
  for (size_t i = 0; i < network.size(); ++i) {
    const Layer& layer = network[i];
    for (const int input : layer.inputs) {
      if (0 <= input && input < static_cast<int>(i)) continue;
      return InvalidArgument("layer ", i, ", '", layer.name, "', reads layer ",
                             input, ", which does not come before it");
    }
    const std::pair<const char*, int64_t> counts[] = {
        {"repeats", layer.repeats - 1},
        {"macs", layer.macs},
        {"elements", layer.elements},
        {"host_bytes", layer.host_bytes}};
    for (const auto& [field, above] : counts) {
      if (above >= 0) continue;
      return InvalidArgument("layer ", i, ", '", layer.name, "': its ", field,
                             " are too few");
    }
  }
  return absl::OkStatus();
}

// Adds up what sums are made of.
class Sums {
 public:
  absl::Status Add(const Stage& stage) {
    for (const auto& [value, sum] :
         {std::pair(stage.cycles, &cycles_), std::pair(stage.macs, &macs_),
          std::pair(stage.bytes, &bytes_)}) {
      const std::optional<int64_t> next = CheckedAdd(*sum, value);
      if (!next.has_value()) {
        return InvalidArgument("the sum of all stages is beyond 64 bits");
      }
      *sum = *next;
    }
    return absl::OkStatus();
  }

 private:
  int64_t cycles_ = 0, macs_ = 0, bytes_ = 0;
};

absl::Status CheckNumbers(const Stage& stage) {
  for (const int64_t value :
       {stage.cycles, stage.compute_cycles, stage.input_cycles,
        stage.output_cycles, stage.macs, stage.bytes, stage.ddr_cycles}) {
    if (value < 0) return InvalidArgument("a number of it is ", value);
  }
  if (stage.ddr_cycles > stage.cycles) {
    return InvalidArgument("its ddr_cycles, ", stage.ddr_cycles,
                           ", are more than its cycles, ", stage.cycles);
  }
  return absl::OkStatus();
}

absl::Status CheckStages(const Network& network, const Stages& stages) {
  Sums sums;
  int least = 0;
  for (size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = stages[i];
    absl::Status status = CheckNumbers(stage);
    if (status.ok()) status = sums.Add(stage);
    if (stage.layer < least ||
        stage.layer >= static_cast<int>(network.size())) {
      status = InvalidArgument("its layer is ", stage.layer, ", want ", least,
                               " to ", static_cast<int>(network.size()) - 1);
    }
    if (!status.ok()) {
      return InvalidArgument("stage ", i, ", '", stage.name,
                             "': ", status.message());
    }
    least = stage.layer;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Program> Program::Compile(const Machine& machine,
                                         const Model& model) {
  DOVETAIL_ASSIGN_OR_RETURN(Network network, LowerModel(machine, model));
  return Compile(machine, std::move(network));
}

absl::StatusOr<Program> Program::Compile(const Machine& machine,
                                         Network network) {
  DOVETAIL_ASSIGN_OR_RETURN(Stages stages, vpu::Compile(machine, network));
  return Program(machine, std::move(network), std::move(stages));
}

absl::StatusOr<Program> Program::Of(const Machine& machine, Network network,
                                    Stages stages) {
  DOVETAIL_RETURN_IF_ERROR(CheckLayers(network));
  DOVETAIL_RETURN_IF_ERROR(CheckStages(network, stages));
  return Program(machine, std::move(network), std::move(stages));
}

Program::Program(const Machine& machine, Network network, Stages stages)
    : machine_(machine),
      network_(std::move(network)),
      stages_(std::move(stages)),
      layers_(network_.size()),
      cycles_(TotalCycles(stages_)) {
  for (size_t i = 0; i < network_.size(); ++i) {
    index_.emplace(network_[i].name, static_cast<int>(i));
  }
  std::vector<int64_t> longest(network_.size(), -1);
  for (size_t i = 0; i < stages_.size(); ++i) {
    const Stage& stage = stages_[i];
    LayerTime& layer = layers_[stage.layer];
    layer.cycles += stage.cycles;
    layer.macs += stage.macs;
    layer.bytes += stage.bytes;
    layer.stages.push_back(static_cast<int>(i));
    if (stage.cycles <= longest[stage.layer]) continue;
    longest[stage.layer] = stage.cycles;
    layer.lane = stage.lane;
  }
}

const Layer* Program::Find(absl::string_view name) const {
  const auto it = index_.find(std::string(name));
  return it == index_.end() ? nullptr : &network_[it->second];
}

std::string Program::KernelName(absl::string_view layer) const {
  const auto it = index_.find(std::string(layer));
  const Lane lane =
      it == index_.end() ? Lane::kShave : layers_[it->second].lane;
  return absl::StrCat(absl::AsciiStrToLower(Name(lane)), "_f16");
}

}  // namespace dovetail::vpu
