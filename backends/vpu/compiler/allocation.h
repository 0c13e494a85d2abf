// Where the outputs of layers lie, and when.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_ALLOCATION_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_ALLOCATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/machine/machine.h"

namespace dovetail::vpu {

enum class Place { kCmx, kDdr };

// The output of one layer.
struct Allocation {
  int layer = 0;  // index in the network
  Place place = Place::kCmx;
  int64_t offset = 0, bytes = 0;  // of CMX of one executor, or of DDR
  int last = 0;                   // the last layer that reads it
  std::string reason;             // why it is not in CMX

  bool operator==(const Allocation&) const = default;
};

// In order of the layers, without views, which are names of others' memory; at
// multiples of 64 bytes, as PlanArena places them. What CMX has no room for is
// spilled to DDR. `ddr` are the reasons of DdrReasons, to which this adds those
// of spills.
std::vector<Allocation> Allocate(const Machine& machine, const Network& network,
                                 std::vector<std::string>& ddr);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_ALLOCATION_H_
