// Data taken apart into lanes. A lane is all elements that are normalized
// together: those that differ in their places along the normalized axes only.
#ifndef DOVETAIL_CORE_REFERENCE_NORMALIZATION_LANES_H_
#define DOVETAIL_CORE_REFERENCE_NORMALIZATION_LANES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/reduce_plan.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// Lanes are worked on in blocks: either one lane, whose elements lie in runs of
// neighbours; or, where the innermost axis is not normalized, neighbouring
// lanes, so that each row of memory is read once for all of them.
class Lanes {
 public:
  // At most this many lanes are in a block.
  static constexpr int64_t kBlock = 128;

  struct Block {
    int64_t first;  // the first element of the first lane
    int64_t lanes;
  };

  // One flag an axis says whether it is normalized. The shape has elements.
  Lanes(const Shape& shape, const std::vector<bool>& normalized);

  // Elements of each lane.
  int64_t length() const { return plan_.reduced_count; }

  // Calls `body` for every block, in parallel; `cost` is that of an element.
  void ForEachBlock(const KernelContext& context, int64_t cost,
                    absl::FunctionRef<void(const Block&)> body) const;

  // total[lane] = add(total[lane], x, lane) for every element x of the block.
  // Within a lane elements come in four interleaved runs, each of which begins
  // with `start` and which `join` brings together.
  template <typename T, typename Add, typename Join>
  void Fold(const Block& block, const T* data, double start, double* totals,
            Add add, Join join) const {
    std::fill_n(totals, block.lanes, start);
    ForEachRow(block, [&](int64_t at, int64_t count) {
      const T* const x = data + at;
      if (plan_.inner_is_kept) {
        for (int64_t i = 0; i < count; ++i) {
          totals[i] = add(totals[i], x[i], i);
        }
        return;
      }
      // Four at a time, because one sum would wait for each addition.
      double parts[4] = {start, start, start, start};
      int64_t i = 0;
      for (; i + 4 <= count; i += 4) {
        for (int k = 0; k < 4; ++k) parts[k] = add(parts[k], x[i + k], 0);
      }
      for (; i < count; ++i) parts[0] = add(parts[0], x[i], 0);
      totals[0] = join(totals[0], join(join(parts[0], parts[1]),
                                       join(parts[2], parts[3])));
    });
  }

  // The sum of f(x, lane) over each lane.
  template <typename T, typename F>
  void Sum(const Block& block, const T* data, double* totals, F f) const {
    Fold(
        block, data, 0, totals,
        [&](double total, T x, int64_t lane) { return total + f(x, lane); },
        [](double a, double b) { return a + b; });
  }

  // out = f(x, lane) for every element of the block.
  template <typename T, typename F>
  void Map(const Block& block, const T* data, T* out, F f) const {
    ForEachRow(block, [&](int64_t at, int64_t count) {
      const T* const x = data + at;
      T* const y = out + at;
      if (plan_.inner_is_kept) {
        for (int64_t i = 0; i < count; ++i) y[i] = f(x[i], i);
      } else {
        for (int64_t i = 0; i < count; ++i) y[i] = f(x[i], 0);
      }
    });
  }

 private:
  // Calls row(at, count) for every run of neighbours in the block: elements of
  // its one lane, or one element of each of its lanes.
  template <typename F>
  void ForEachRow(const Block& block, F row) const {
    const int64_t count = plan_.inner_is_kept ? block.lanes : run_;
    for (int64_t i = 0; i < rows_; ++i) {
      const int64_t at = GroupOffset(plan_.reduced, row_groups_, i);
      row(block.first + at, count);
    }
  }

  ReducePlan plan_;
  int64_t run_ = 1;         // neighbours that a row of a single lane has
  int64_t rows_ = 1;        // of a block
  size_t row_groups_ = 0;   // groups of the plan that count the rows
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_NORMALIZATION_LANES_H_
