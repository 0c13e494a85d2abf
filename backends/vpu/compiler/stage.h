// A stage: what one unit of the processor does without a break.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_STAGE_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_STAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace dovetail::vpu {

enum class Lane { kNce, kShave, kDma };
absl::string_view Name(Lane lane);

struct Stage {
  int layer = 0;     // index in the network
  std::string name;  // "conv1@soh=2/3"
  Lane lane = Lane::kNce;
  int64_t cycles = 0;  // all of it; the units below overlap
  int64_t compute_cycles = 0, input_cycles = 0, output_cycles = 0;
  int64_t macs = 0;
  int64_t bytes = 0;  // that DMA moves
  // Of `cycles`: DDR serves this stage, weights and waits for first bytes
  // included. What other inferences ask of it meanwhile makes both longer.
  int64_t ddr_cycles = 0;
  int64_t shaves = 0;  // of kShave: how many run it at the same time
  // Of work that is hidden beside the engine's stage before it, and has no
  // cycles of its own: what it takes of that one's time.
  int64_t hidden_cycles = 0;
  std::string bound;   // what takes longest: "compute", "input", …
  std::string reason;  // why so: mode and tiles, locations

  bool operator==(const Stage&) const = default;
};

using Stages = std::vector<Stage>;

int64_t TotalCycles(const Stages& stages);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_STAGE_H_
