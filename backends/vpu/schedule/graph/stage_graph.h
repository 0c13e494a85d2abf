// What a compiler's passes work on: the work of engines, SHAVEs and DMA, and
// the buffers that it reads and writes, before anybody knows how long it takes.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_STAGE_GRAPH_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_STAGE_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/compiler/allocation.h"
#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/compiler/stage.h"
#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"

namespace dovetail::vpu {

inline constexpr int kNone = -1;

struct Buffer {
  int layer = 0;  // whose output, or part of one, it is
  int64_t bytes = 0;
  int64_t planes = 0, rows = 0, width = 0;
  Place place = Place::kDdr;
  int parent = kNone;      // of which it is a part, in the parent's place
  bool is_border = false;  // the network's input or output
  bool is_pinned = false;  // stays in DDR whatever room there is
  std::string reason;      // why it is in DDR
};

// How many SHAVEs a stage takes.
enum class ShaveNeed {
  kNone,
  kOne,
  kTwo,  // or one, where there are no two
  kAll,  // that are free; next to an engine's stage only a few
  kMax,  // of the executor, none of which may be busy
};

struct Work {
  Lane lane = Lane::kNce;
  int layer = 0;
  std::string name, reason;
  LayerKind kind = LayerKind::kView;
  ShaveNeed need = ShaveNeed::kNone;
  std::vector<int> inputs;  // buffers
  int output = kNone;

  ConvShape tile;           // of an engine: what it computes of one group
  bool reads_part = false;  // of its input: of a plane, or of channels
  bool is_average = false;
  int64_t repeats = 1;  // groups and images of a batch
  int64_t elements = 0, macs = 0;
  int64_t planes = 0, rows = 0, width = 0;  // of a copy: channels, rows of each
  bool is_by_row = false;  // what it reads or copies has gaps between rows

  bool is_optional = false;  // a copy: the writer might write its output
  bool is_spill = false;     // a copy from CMX to DDR that makes room
  int injected = kNone;      // of an engine: work that runs beside it
  int beside = kNone;        // the engine's work that it runs beside
};

// Says one more thing of why the work is as it is.
inline void AddReason(absl::string_view reason, Work& work) {
  absl::StrAppend(&work.reason, work.reason.empty() ? "" : "; ", reason);
}

struct StageGraph {
  std::vector<Buffer> buffers;
  std::vector<Work> work;
  std::vector<int> order;  // of work; without what is injected

  // The buffer that this one is a part of, or itself.
  int Root(int buffer) const {
    while (buffers[buffer].parent != kNone) buffer = buffers[buffer].parent;
    return buffer;
  }
  bool IsInCmx(int buffer) const {
    return buffers[Root(buffer)].place == Place::kCmx;
  }
  // Calls visit(work) for `index` and what is injected into it.
  template <typename Visit>
  void VisitWithInjected(int index, Visit&& visit) const {
    visit(work[index]);
    if (work[index].injected != kNone) visit(work[work[index].injected]);
  }
};

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_STAGE_GRAPH_H_
