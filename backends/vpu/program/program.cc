#include "dovetail/backends/vpu/program/program.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
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

absl::Status CheckNumbers(const Machine& machine, const Stage& stage) {
  for (const int64_t value :
       {stage.cycles, stage.compute_cycles, stage.input_cycles,
        stage.output_cycles, stage.macs, stage.bytes, stage.ddr_cycles,
        stage.shaves, stage.hidden_cycles}) {
    if (value < 0) return InvalidArgument("a number of it is ", value);
  }
  if (stage.ddr_cycles > stage.cycles) {
    return InvalidArgument("its ddr_cycles, ", stage.ddr_cycles,
                           ", are more than its cycles, ", stage.cycles);
  }
  if (static_cast<double>(stage.shaves) > machine.shaves) {
    return InvalidArgument("its shaves are ", stage.shaves, ", of ",
                           machine.shaves);
  }
  return absl::OkStatus();
}

absl::Status CheckStages(const Machine& machine, const Network& network,
                         const Stages& stages) {
  Sums sums;
  for (size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = stages[i];
    absl::Status status = CheckNumbers(machine, stage);
    if (status.ok()) status = sums.Add(stage);
    if (stage.layer < 0 || stage.layer >= static_cast<int>(network.size())) {
      status = InvalidArgument("its layer is ", stage.layer, ", want 0 to ",
                               static_cast<int>(network.size()) - 1);
    }
    if (!status.ok()) {
      return InvalidArgument("stage ", i, ", '", stage.name,
                             "': ", status.message());
    }
  }
  return absl::OkStatus();
}

absl::Status CheckMemory(const Machine& machine, int layers, int stages,
                         const std::vector<Allocation>& memory) {
  int least = 0;
  for (const Allocation& one : memory) {
    const std::optional<int64_t> end = CheckedAdd(one.offset, one.bytes);
    if (one.layer < least || one.last < one.layer || one.last >= layers) {
      return InvalidArgument("memory of layer ", one.layer, " until layer ",
                             one.last, ", want layers from ", least, " to ",
                             layers - 1);
    }
    if (one.first_stage < 0 || one.last_stage < one.first_stage ||
        one.last_stage >= stages) {
      return InvalidArgument("memory of layer ", one.layer, " from stage ",
                             one.first_stage, " to stage ", one.last_stage,
                             ", of ", stages);
    }
    if (one.offset < 0 || one.bytes < 0 || !end.has_value()) {
      return InvalidArgument("memory of layer ", one.layer, ": ", one.bytes,
                             " bytes at ", one.offset);
    }
    if (one.place == Place::kCmx &&
        static_cast<double>(*end) > machine.cmx_bytes()) {
      return InvalidArgument("memory of layer ", one.layer, " ends at ", *end,
                             ", and CMX at ",
                             static_cast<int64_t>(machine.cmx_bytes()));
    }
    least = one.layer;
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
                                         Network network,
                                         const CustomWorks& works,
                                         const ObservePass& observe) {
  DOVETAIL_ASSIGN_OR_RETURN(Compiled compiled,
                            vpu::Compile(machine, network, works, observe));
  return Program(machine, std::move(network), std::move(compiled));
}

absl::StatusOr<Program> Program::Of(const Machine& machine, Network network,
                                    Compiled compiled) {
  DOVETAIL_RETURN_IF_ERROR(CheckLayers(network));
  DOVETAIL_RETURN_IF_ERROR(CheckStages(machine, network, compiled.stages));
  DOVETAIL_RETURN_IF_ERROR(
      CheckMemory(machine, static_cast<int>(network.size()),
                  static_cast<int>(compiled.stages.size()), compiled.memory));
  return Program(machine, std::move(network), std::move(compiled));
}

Program::Program(const Machine& machine, Network network, Compiled compiled)
    : machine_(machine),
      network_(std::move(network)),
      compiled_(std::move(compiled)),
      layers_(network_.size()),
      cycles_(TotalCycles(compiled_.stages)) {
  for (size_t i = 0; i < network_.size(); ++i) {
    index_.emplace(network_[i].name, static_cast<int>(i));
  }
  std::vector<int64_t> longest(network_.size(), -1);
  for (size_t i = 0; i < stages().size(); ++i) {
    const Stage& stage = stages()[i];
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

int64_t Program::PeakBytes(Place place) const {
  int64_t low = std::numeric_limits<int64_t>::max(), high = 0;
  for (const Allocation& one : memory()) {
    if (one.place != place) continue;
    low = std::min(low, one.offset);
    high = std::max(high, one.offset + one.bytes);
  }
  return high > low ? high - low : 0;
}

const Layer* Program::Find(absl::string_view name) const {
  const auto it = index_.find(std::string(name));
  return it == index_.end() ? nullptr : &network_[it->second];
}

std::string Program::KernelName(absl::string_view layer) const {
  const auto it = index_.find(std::string(layer));
  const Lane lane =
      it == index_.end() ? Lane::kShave : layers_[it->second].lane;
  const bool is_custom = it != index_.end() &&
                         network_[it->second].kind == LayerKind::kCustom;
  return absl::StrCat(absl::AsciiStrToLower(Name(lane)),
                      is_custom ? "_custom" : "_f16");
}

}  // namespace dovetail::vpu
