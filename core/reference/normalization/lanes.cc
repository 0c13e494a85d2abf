#include "dovetail/core/reference/normalization/lanes.h"

namespace dovetail {

Lanes::Lanes(const Shape& shape, const std::vector<bool>& normalized)
    : plan_(PlanReduction(shape, normalized)) {
  row_groups_ = plan_.reduced.size();
  if (!plan_.inner_is_kept && row_groups_ > 0) {
    --row_groups_;
    run_ = plan_.reduced.back().extent;
  }
  rows_ = plan_.reduced_count / run_;
}

void Lanes::ForEachBlock(const KernelContext& context, int64_t cost,
                         absl::FunctionRef<void(const Block&)> body) const {
  // Kept neighbours make a row; without any, each lane is a row of its own.
  const int64_t row = plan_.inner_is_kept ? plan_.kept.back().extent : 1;
  const int64_t blocks = (row + kBlock - 1) / kBlock;
  const int64_t elements = std::min(row, kBlock) * plan_.reduced_count;
  ParallelLoop(context, plan_.output_count / row * blocks, cost * elements,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   const int64_t skip = i % blocks * kBlock;
                   const int64_t lane = i / blocks * row + skip;
                   body({GroupOffset(plan_.kept, plan_.kept.size(), lane),
                         std::min(kBlock, row - skip)});
                 }
               });
}

}  // namespace dovetail
