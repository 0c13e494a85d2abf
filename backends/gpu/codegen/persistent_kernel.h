// A persistent kernel: one launch that does the work of several, step by step.
//
// On processors a launch costs more than a small kernel's work, as the driver
// wakes its threads for each. Here the threads stay: work groups of one item
// take units of a step's work until none is left, and wait for each other
// before the next step. No group needs another to be there: whoever comes does
// what is left, so one alone does all. A group that has units is running, in a
// thread of the system's, so that those who wait for it come to an end; that
// holds on processors only.
#ifndef DOVETAIL_BACKENDS_GPU_CODEGEN_PERSISTENT_KERNEL_H_
#define DOVETAIL_BACKENDS_GPU_CODEGEN_PERSISTENT_KERNEL_H_

#include <cstdint>

#include "absl/types/span.h"
#include "dovetail/backends/gpu/program/kernel_source.h"

namespace dovetail::gpu {

// How a step is written in the table of steps, which is ints: these, then for
// each operand the number of its buffer and its first element, then the
// numbers, whole vectors of them.
struct StepEntry {
  int32_t function;  // of the sources, which one
  int32_t units;     // of work, at least 1, each of
  int32_t grain;     // so many items, the last one perhaps of fewer
  int32_t items;     // in all
  int32_t sizes[3];  // of the range, whose product that is
  int32_t numbers;   // where these begin, in ints from the entry's first
};

// Ints apart from each other's, so that threads do not share cache lines.
inline constexpr int kStatePadding = 32;

// Arguments: `buffers` buffers, the table, the state, and the int16 of
// LaunchNumbers. The range: any number of groups of one item.
struct LaunchNumbers {
  int32_t first;   // in the table: where the entries of the steps are
  int32_t count;   // steps
  int32_t slots;   // shares of a step, which groups begin with
  int32_t stride;  // ints of state for each slot: PaddedCount(count)
  int32_t groups;  // of the launch: PoCL compiles longer for get_num_groups
  int32_t unused[11];
};

// Ints that a count takes without sharing a cache line with others.
constexpr int32_t PaddedCount(int32_t count) {
  return (count + kStatePadding - 1) / kStatePadding * kStatePadding;
}
// Ints of the state, all zero before the first launch; each launch leaves them
// so.
constexpr int64_t StateInts(int32_t stride, int32_t slots) {
  return 2 * kStatePadding + int64_t{stride} * (1 + slots);
}

// Whether the kernel can be a step: one of KernelWriter's.
bool CanBeStep(const KernelSource& source);

// The kernel that runs steps of these, all different.
KernelSource PersistentKernel(absl::Span<const KernelSource* const> sources,
                              int buffers);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_CODEGEN_PERSISTENT_KERNEL_H_
