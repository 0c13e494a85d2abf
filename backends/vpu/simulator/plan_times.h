// What a plan takes on the processor, layer by layer.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_PLAN_TIMES_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_PLAN_TIMES_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::vpu {

// The stages of one layer together.
struct LayerTime {
  Lane lane = Lane::kShave;  // of the longest stage
  int64_t cycles = 0;
  int64_t macs = 0, bytes = 0;
  std::vector<int> stages;  // indices in the program
};

// A model of static shapes on a machine. Times follow from shapes alone, so
// they are the same in every run. Immutable.
class PlanTimes {
 public:
  // Errors as of LowerModel and Compile.
  static absl::StatusOr<PlanTimes> Of(const Machine& machine,
                                      const Model& model);

  const Machine& machine() const { return machine_; }
  const Network& network() const { return network_; }
  const Program& program() const { return program_; }
  // Of network(), in its order.
  const std::vector<LayerTime>& layers() const { return layers_; }

  // The layer of that name; null for one that the processor computes nothing
  // for at run time, such as a constant.
  const Layer* Find(absl::string_view name) const;

  // "nce_f16", "shave_f16" or "dma_f16": what computes the layer.
  std::string KernelName(absl::string_view layer) const;

 private:
  explicit PlanTimes(const Machine& machine) : machine_(machine) {}

  Machine machine_;
  Network network_;
  Program program_;
  std::vector<LayerTime> layers_;
  std::unordered_map<std::string, int> index_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_PLAN_TIMES_H_
