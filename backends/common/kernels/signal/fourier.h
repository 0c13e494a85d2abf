// Discrete Fourier transforms of f32 along an axis, many lines at a time.
//
//   const FourierPlan plan(length);  // (length, true) for real lines
//   const FourierPass pass = {FourierKind::kForward, outer, length, inner};
//   RunFourier(plan, pass, in, out, 0, FourierUnits(pass), scratch);
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_FOURIER_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_FOURIER_H_

#include <cstdint>

#include "dovetail/backends/common/kernels/signal/fourier_plan.h"

namespace dovetail::host {

enum class FourierKind {
  kForward,      // complex to complex numbers
  kInverse,      // the same, divided by the length
  kRealForward,  // real numbers to the first length / 2 + 1 complex ones
  kRealInverse,  // those to real numbers, divided by the length
};

// Over the middle axis of dense arrays {outer, length, inner}. Complex numbers
// are pairs.
struct FourierPass {
  FourierKind kind;
  int64_t outer;
  // Of the data; the transform's own length is the plan's. What a line has
  // beyond that is not read, and what it lacks is zero.
  int64_t in_length;
  int64_t inner;
};

// How many elements a line of the result has. The plan is one for real lines
// where the kind is.
int64_t FourierOutLength(const FourierPlan& plan, FourierKind kind);

// Independent units of work: some lines each.
int64_t FourierUnits(const FourierPass& pass);

// Numbers of scratch memory that RunFourier needs.
int64_t FourierScratchElements(const FourierPlan& plan);

// Units [begin, end). In place where lines of data and result have as many
// numbers. Scratch memory is aligned to 64 bytes.
void RunFourier(const FourierPlan& plan, const FourierPass& pass,
                const float* in, float* out, int64_t begin, int64_t end,
                float* scratch);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_FOURIER_H_
