// What the products of a panel read, gathered from planes of f32.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_GATHER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_GATHER_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/ops/common/window.h"

namespace dovetail::host {

// Numbers behind the last plane, and behind the rows that are gathered, that
// whole vectors may read or write.
inline constexpr int64_t kGatherSlack = 32;

// Pixels of a row of a panel that lie in one row of the input, or beside it,
// where there are zeros.
struct GatherPiece {
  int64_t from = 0;  // in the plane; below 0: zeros
  int64_t count = 0;
};

// Which pixels of its plane each tap of a window reads for some output pixels:
// the same in every channel.
class PanelGather {
 public:
  // For `columns` output pixels, up to kPanelColumns, of which `first` is the
  // first one. What was set before is forgotten, its memory is kept.
  void Set(const WindowAxis& y, const WindowAxis& x, int64_t first,
           int64_t columns);

  // Rows [begin, end) of the panel, of kPanelColumns each: row r is tap r %
  // taps of plane r / taps. `planes` lie one behind the other. What stands
  // behind the columns is undefined.
  void Gather(const float* planes, int64_t begin, int64_t end,
              float* rows) const;

 private:
  void AddTap(const WindowAxis& y, const WindowAxis& x, int64_t ky, int64_t kx,
              int64_t first, int64_t columns);
  void AddRow(const WindowAxis& x, int64_t row, int64_t ix, int64_t count);

  int64_t plane_ = 0, stride_ = 1;
  std::vector<GatherPiece> pieces_;
  std::vector<int64_t> begins_;  // of each tap's pieces, and the end
};

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_DENSE_GATHER_H_
