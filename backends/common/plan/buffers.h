// The buffers of a plan that is being made: which share memory, and their live
// ranges.
#ifndef DOVETAIL_BACKENDS_COMMON_PLAN_BUFFERS_H_
#define DOVETAIL_BACKENDS_COMMON_PLAN_BUFFERS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/plan/address.h"
#include "dovetail/backends/common/plan/arena_planner.h"

namespace dovetail {

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
  std::optional<int> ConcatInPlace(absl::Span<const Part> parts, int64_t bytes);

  // What lies at `part` is computed where the output `index` is wanted. False
  // when it is not the whole of its root, or that is no memory of the arena.
  bool BindOutput(const Part& part, int index);

  // The step writes `output` over `input`, which is dead then: the two alias.
  // False when it is not dead, or too small. To be called when all live ranges
  // are known.
  bool Alias(int output, const Place& input, int step);

  // Where that is in its root.
  Place Root(Place place) const;

  // ---- Live ranges ----

  // The step reads or writes it.
  void ExtendLiveRange(int buffer, int step);

  // Gives buffers of disjoint live ranges the same memory. What the first arena
  // has no room for goes into the next one: from the fastest, such as a memory
  // on the chip, to the largest. Returns the bytes of each; kResourceExhausted
  // when something fits in none.
  absl::StatusOr<std::vector<int64_t>> PlanArenas(
      absl::Span<const ArenaOptions> arenas);
  // The same with one arena without limit; its bytes.
  int64_t PlanArena();

  // Where it is found when the plan runs. Of the arenas' memory: after they are
  // planned.
  Address AddressOf(const Place& place) const;

  // A root in an arena, after they are planned.
  struct Region {
    int buffer = -1;
    int arena = 0;
    int64_t offset = 0, bytes = 0;
    int first = 0, last = 0;  // its live range
  };
  // All of them, in the order of their first steps.
  std::vector<Region> Regions() const;

 private:
  struct Buffer {
    Address::Space kind = Address::Space::kArena;
    int index = 0;  // of the input, output or arena
    const void* constant = nullptr;
    int64_t bytes = 0;
    // Where it lies in another buffer; of a root of an arena: in the arena.
    Place parent;
    int first = -1, last = -1;  // steps of its live range; -1: none yet
  };

  int Push(Address::Space kind, int index, int64_t bytes);
  Buffer& RootOf(int buffer) { return buffers_[Root({buffer, 0}).buffer]; }
  std::optional<std::vector<Place>> PlacesOfRoots(absl::Span<const Part> parts,
                                                  int64_t bytes) const;
  bool Overlap(const Place& a, const Place& b) const;
  std::vector<int> RootsOfArenas() const;
  int64_t PutIntoArena(const ArenaOptions& options, int arena,
                       std::vector<int>& roots);

  std::vector<Buffer> buffers_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PLAN_BUFFERS_H_
