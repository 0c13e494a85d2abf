// The memory of a plan that is being made: which tensors share it, and between
// which steps each is needed.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_BUFFERS_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_BUFFERS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/plan/plan.h"

namespace dovetail::cpu {

// Buffers have numbers, from 0. One may come to lie within another; the one
// that lies in no other is its root. Steps have numbers too, in the order in
// which they run.
class Buffers {
 public:
  struct Place {
    int buffer = -1;
    int64_t offset = 0;  // in bytes
  };
  // Bytes from a place on.
  struct Part {
    Place place;
    int64_t bytes = 0;
  };

  // ---- New ones ----

  // Memory of the arena, until it is bound to something else.
  int Add(int64_t bytes);
  int AddInput(int index, int64_t bytes);
  int AddOutput(int index, int64_t bytes);
  int AddConstant(const void* data);

  // ---- What lies where ----

  // A new buffer of `bytes` in which the parts lie one after the other: moves
  // their roots into it. Nothing where that cannot be, as when a part is no
  // memory of the arena, or its root has no room there.
  std::optional<int> Join(absl::Span<const Part> parts, int64_t bytes);

  // What lies at `part` is computed where the output `index` is wanted. False
  // when it is not the whole of its root, or that is no memory of the arena.
  bool BindOutput(const Part& part, int index);

  // The step writes `output` to where `input` is, which is needed no longer
  // then. False when it is needed, or has no room. To be called when Touch has
  // been called for all steps.
  bool TakeOver(int output, const Place& input, int step);

  // Where that is in its root.
  Place Root(Place place) const;

  // ---- Until when ----

  // The step needs it.
  void Touch(int buffer, int step);

  // Gives what is needed at different times the same memory. Returns the
  // arena's bytes.
  int64_t PlanArena();

  // Where it is found when the plan runs. Of the arena's memory: after
  // PlanArena.
  Address AddressOf(const Place& place) const;

 private:
  struct Buffer {
    Address::Place kind = Address::Place::kArena;
    int index = 0;
    const void* constant = nullptr;
    int64_t bytes = 0;
    // Where it lies in another buffer; of a root of the arena: in the arena.
    Place parent;
    // Steps between which it is needed; -1: none yet.
    int first = -1, last = -1;
  };

  int Push(Address::Place kind, int index, int64_t bytes);
  Buffer& RootOf(int buffer) { return buffers_[Root({buffer, 0}).buffer]; }
  std::optional<std::vector<Place>> PlacesOfRoots(absl::Span<const Part> parts,
                                                  int64_t bytes) const;
  bool Overlap(const Place& a, const Place& b) const;

  std::vector<Buffer> buffers_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_BUFFERS_H_
