// Where outputs of layers, and parts of them, lie.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_ALLOCATION_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_ALLOCATION_H_

#include <cstdint>
#include <string>

namespace dovetail::vpu {

enum class Place { kCmx, kDdr };

// An output, a tile of one, or a copy; parts that lie in another are that
// one's.
struct Allocation {
  int layer = 0;  // index in the network
  Place place = Place::kCmx;
  int64_t offset = 0, bytes = 0;        // of CMX of one executor, or of DDR
  int last = 0;                         // the last layer that reads it
  int first_stage = 0, last_stage = 0;  // while it lives
  std::string reason;                   // why it is not in CMX

  bool operator==(const Allocation&) const = default;
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_ALLOCATION_H_
