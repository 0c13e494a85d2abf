#include "dovetail/backends/gpu/steps/convolution/direct/direct_block.h"

#include <algorithm>

#include "dovetail/core/base/checked_math.h"

namespace dovetail::gpu {
namespace {

struct Candidate {
  int pixels, vectors;
};

// Blocks of 24 to 28 sums fill the vector registers of a processor. Of those
// that compute as little in vain, the first one is taken: that fits the most
// rows, as each other one is one more kernel that the driver compiles.
constexpr Candidate kWide[] = {{7, 4}, {14, 2}, {12, 2}, {10, 2}, {8, 2}};
constexpr Candidate kOneVector[] = {{28, 1}, {14, 1}, {7, 1}};
constexpr int kNarrow = 7;

// Sums that are computed in vain, and those that small blocks cost in speed.
double CostOf(const Candidate& candidate, int64_t width, int64_t vectors) {
  const double sums = static_cast<double>(
      CeilDivide(width, int64_t{candidate.pixels}) * candidate.pixels *
      CeilDivide(vectors, int64_t{candidate.vectors}) * candidate.vectors);
  const int held = candidate.pixels * candidate.vectors;
  return sums * (1 + 1.5 / held);
}

Candidate Choose(int64_t width, int64_t vectors) {
  // Without candidates that fit: as wide as the row.
  Candidate best = {static_cast<int>(std::min<int64_t>(width, kNarrow)),
                    static_cast<int>(std::min<int64_t>(vectors, 4))};
  double best_cost = CostOf(best, width, vectors) * 1.01;
  const auto consider = [&](const Candidate& candidate) {
    if (candidate.pixels > width || candidate.vectors > vectors) return;
    const double cost = CostOf(candidate, width, vectors);
    if (cost >= best_cost) return;
    best = candidate;
    best_cost = cost;
  };
  if (vectors == 1) {
    for (const Candidate& candidate : kOneVector) consider(candidate);
  } else {
    for (const Candidate& candidate : kWide) consider(candidate);
  }
  return best;
}

}  // namespace

DirectBlock ChooseBlock(int lanes, int64_t width, int64_t channels) {
  DirectBlock block;
  block.lanes = lanes;
  if (lanes == 16) {
    const Candidate chosen = Choose(width, CeilDivide(channels, int64_t{16}));
    block.pixels = chosen.pixels;
    block.vectors = chosen.vectors;
  } else {
    // Work items of other devices have fewer registers.
    block.pixels = static_cast<int>(std::min<int64_t>(width, 4));
    block.vectors = lanes == 1 ? 4 : 2;
  }
  return block;
}

}  // namespace dovetail::gpu
