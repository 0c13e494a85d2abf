// Which numbers the sums of a direct convolution are of: those in the picture.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_RUN_LISTS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_RUN_LISTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/convolution/window_axis.h"
#include "dovetail/backends/cpu/kernels/integer/window_run.h"

namespace dovetail::cpu {

struct TapRange {
  int64_t begin = 0, end = 0;
};

// The taps of an output that lie in the picture; perhaps none.
TapRange TapsInside(const WindowAxis& axis, int64_t output);

// Taps in padding have no runs where this saves time: always where all of a row
// of taps is outside, and where enough neighbouring outputs have the same taps
// of a row inside, as windows of great dilation on small pictures do.
class RunLists {
 public:
  struct Window {
    WindowAxis rows, columns;
    int64_t blocks = 1;    // of channels
    int64_t row_runs = 1;  // of a row of taps and a block
    // Whether each of these is a tap.
    bool runs_are_taps = true;
    // From a row of taps, a block and a run to the next.
    int64_t row_step = 0, block_step = 0, run_step = 0;
  };

  RunLists() = default;
  explicit RunLists(const Window& window);

  // Neighbouring outputs of a row that have the same runs.
  struct Segment {
    int64_t begin = 0, end = 0;
    TapRange taps;
    int64_t first = 0;  // of the runs
  };
  absl::Span<const Segment> segments() const { return segments_; }
  absl::Span<const WindowRun> Of(int64_t row, const Segment& segment) const;
  // Those of all segments and rows of taps.
  absl::Span<const WindowRun> all() const { return runs_; }

 private:
  void ListSegments();
  void Join();
  void ListRuns(Segment& segment);

  Window window_;
  std::vector<TapRange> taps_of_rows_;  // of outputs
  std::vector<Segment> segments_;
  std::vector<WindowRun> runs_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DIRECT_RUN_LISTS_H_
