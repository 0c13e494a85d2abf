// What custom kernels do in one inference, counted when their layer is
// compiled.
#ifndef DOVETAIL_BACKENDS_VPU_COMPILER_CUSTOM_WORK_H_
#define DOVETAIL_BACKENDS_VPU_COMPILER_CUSTOM_WORK_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dovetail::vpu {

// Of a work group, which one SHAVE runs.
struct GroupWork {
  int64_t operations = 0;
  int64_t in_bytes = 0, out_bytes = 0;  // that DMA moves
  int64_t pieces = 0;                   // contiguous ones of these
};

struct CustomWork {
  std::string kernel;      // its entry
  int64_t max_shaves = 0;  // 0: all
  std::vector<GroupWork> groups;
};

// By the layer's index in a network, in the order in which its kernels run.
using CustomWorks = std::map<int, std::vector<CustomWork>>;

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_COMPILER_CUSTOM_WORK_H_
