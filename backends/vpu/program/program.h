// A model compiled for a vision processor: what it computes, layer by layer,
// and the stages that this takes.
#ifndef DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_H_
#define DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/custom_work.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/compile.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::vpu {

// The stages of one layer together.
struct LayerTime {
  Lane lane = Lane::kShave;  // of the longest stage
  int64_t cycles = 0;
  int64_t macs = 0, bytes = 0;
  std::vector<int> stages;  // indices in the program
};

// Of static shapes, for one machine. Times follow from shapes alone, so they
// are the same in every run. Immutable.
class Program {
 public:
  // Errors as of vpu::Compile, and of LowerModel.
  static absl::StatusOr<Program> Compile(const Machine& machine,
                                         Network network,
                                         const CustomWorks& works = {},
                                         const ObservePass& observe = nullptr);
  static absl::StatusOr<Program> Compile(const Machine& machine,
                                         const Model& model);
  // Of parts that were compiled before. kInvalidArgument, with the layer or
  // stage, where a layer reads one that does not come before it, where a stage
  // is of no layer, where an allocation is or comes before one of an earlier
  // layer, where numbers are negative or their sums are beyond 64 bits, and
  // where an allocation is beyond the machine's CMX.
  static absl::StatusOr<Program> Of(const Machine& machine, Network network,
                                    Compiled compiled);

  const Machine& machine() const { return machine_; }
  const Network& network() const { return network_; }
  const Stages& stages() const { return compiled_.stages; }
  const std::vector<Allocation>& memory() const { return compiled_.memory; }
  // The most bytes of a place that are in use at one time, gaps included.
  int64_t PeakBytes(Place place) const;
  // Of network(), in its order.
  const std::vector<LayerTime>& layers() const { return layers_; }

  // Of one inference that has the processor for itself.
  int64_t cycles() const { return cycles_; }
  double microseconds() const {
    return machine_.microseconds(static_cast<double>(cycles_));
  }

  double millijoules() const {
    return machine_.millijoules(static_cast<double>(cycles_));
  }

  // The layer of that name; null for one that the processor computes nothing
  // for at run time, such as a constant.
  const Layer* Find(absl::string_view name) const;

  // "nce_f16", "shave_f16", "dma_f16" or "shave_custom": what computes the layer.
  std::string KernelName(absl::string_view layer) const;

 private:
  Program(const Machine& machine, Network network, Compiled compiled);

  Machine machine_;
  Network network_;
  Compiled compiled_;
  std::vector<LayerTime> layers_;
  int64_t cycles_ = 0;
  std::unordered_map<std::string, int> index_;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_PROGRAM_PROGRAM_H_
