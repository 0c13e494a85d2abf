// What this machine was measured to do: the numbers behind every choice between
// kernels.
#ifndef DOVETAIL_BACKENDS_CPU_ISA_MACHINE_MODEL_H_
#define DOVETAIL_BACKENDS_CPU_ISA_MACHINE_MODEL_H_

#include <cstdint>
#include <string>

namespace dovetail::cpu {

// Of one thread, in nanoseconds. A product is a multiplication with the
// addition to a sum.
struct MachineModel {
  // Products a nanosecond, by vectors of 8 and of 16 floats, and by the fastest
  // instructions for bf16 and for bytes; 0: there are none.
  double f32_8 = 0, f32_16 = 0, bf16 = 0, int8 = 0;

  // How much stays in a cache, and bytes a nanosecond that are read of it one
  // after the other.
  struct Cache {
    int64_t bytes = 0;
    double bytes_a_ns = 1;
  };
  Cache l1, l2, l3;
  double memory_bytes_a_ns = 1;
  // The same, of eight short rows side by side at a time, and when the next
  // eight are asked for meanwhile.
  double rows_bytes_a_ns = 1, asked_rows_bytes_a_ns = 1;

  // Until a helper that sleeps no longer than between two steps has begun and
  // ended a task that is nothing.
  double wake_ns = 0;

  // Of the fastest vectors.
  double f32() const { return f32_8 > f32_16 ? f32_8 : f32_16; }
  // Of vectors with so many lanes: 8 or 16.
  double f32(int64_t lanes) const { return lanes == 16 ? f32_16 : f32_8; }
  // Whether asking for short rows before they are read is worth it.
  bool asks_ahead() const { return asked_rows_bytes_a_ns > rows_bytes_a_ns; }
  // To read `bytes` that were read before, from the smallest cache that holds
  // them beside as much else.
  double ReadNs(double bytes) const;
};

// Measured at the first call, in a few milliseconds, and the same ever after:
// within a process all choices agree. Thread-safe.
const MachineModel& ThisMachine();

// "products a ns: f32 44.8 by 8 lanes, 89.6 by 16, …", for people.
std::string DescribeMachine(const MachineModel& machine);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_ISA_MACHINE_MODEL_H_
