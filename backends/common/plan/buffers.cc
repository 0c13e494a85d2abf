#include "dovetail/backends/common/plan/buffers.h"

#include <algorithm>
#include <utility>

#include "dovetail/core/base/status.h"

namespace dovetail {

// ---- New ones ----

int Buffers::Push(Address::Space kind, int index, int64_t bytes) {
  Buffer buffer;
  buffer.kind = kind;
  buffer.index = index;
  buffer.bytes = bytes;
  buffers_.push_back(buffer);
  return static_cast<int>(buffers_.size()) - 1;
}

int Buffers::Add(int64_t bytes) {
  return Push(Address::Space::kArena, 0, bytes);
}

int Buffers::AddInput(int index, int64_t bytes) {
  return Push(Address::Space::kInput, index, bytes);
}

int Buffers::AddOutput(int index, int64_t bytes) {
  return Push(Address::Space::kOutput, index, bytes);
}

int Buffers::AddConstant(const void* data) {
  const int buffer = Push(Address::Space::kConstant, 0, 0);
  buffers_[buffer].constant = data;
  return buffer;
}

// ---- What lies where ----

Buffers::Place Buffers::Root(Place place) const {
  while (buffers_[place.buffer].parent.buffer != -1) {
    const Place& parent = buffers_[place.buffer].parent;
    place = {parent.buffer, place.offset + parent.offset};
  }
  return place;
}

// Of roots that lie at the offsets of one memory.
bool Buffers::Overlap(const Place& a, const Place& b) const {
  return a.offset < b.offset + buffers_[b.buffer].bytes &&
         b.offset < a.offset + buffers_[a.buffer].bytes;
}

// For each root of a part, where it would begin in the joined memory.
std::optional<std::vector<Buffers::Place>> Buffers::PlacesOfRoots(
    absl::Span<const Part> parts, int64_t bytes) const {
  std::vector<Place> places;
  int64_t begin = 0;
  for (const Part& part : parts) {
    const Place in_root = Root(part.place);
    const Buffer& root = buffers_[in_root.buffer];
    const Place place = {in_root.buffer, begin - in_root.offset};
    if (root.kind != Address::Space::kArena || place.offset < 0 ||
        place.offset + root.bytes > bytes) {
      return std::nullopt;
    }
    bool is_known = false;
    for (const Place& other : places) {
      const bool is_same = other.buffer == place.buffer;
      if (is_same ? other.offset != place.offset : Overlap(place, other)) {
        return std::nullopt;
      }
      is_known |= is_same;
    }
    if (!is_known) places.push_back(place);
    begin += part.bytes;
  }
  return places;
}

std::optional<int> Buffers::ConcatInPlace(absl::Span<const Part> parts,
                                          int64_t bytes) {
  const auto places = PlacesOfRoots(parts, bytes);
  if (!places.has_value()) return std::nullopt;
  const int joined = Add(bytes);
  Buffer& whole = buffers_[joined];
  for (const Place& place : *places) {
    Buffer& root = buffers_[place.buffer];
    root.parent = {joined, place.offset};
    if (whole.first == -1 || root.first < whole.first) whole.first = root.first;
    whole.last = std::max(whole.last, root.last);
  }
  return joined;
}

bool Buffers::BindOutput(const Part& part, int index) {
  const Place place = Root(part.place);
  Buffer& root = buffers_[place.buffer];
  const bool is_whole = place.offset == 0 && root.bytes == part.bytes;
  if (root.kind != Address::Space::kArena || !is_whole) return false;
  root.kind = Address::Space::kOutput;
  root.index = index;
  return true;
}

bool Buffers::Alias(int output, const Place& input, int step) {
  const Place place = Root(input);
  Buffer& root = buffers_[place.buffer];
  Buffer& written = buffers_[output];
  const bool is_dead = root.kind == Address::Space::kArena &&
                       root.last == step && place.buffer != output;
  const bool is_free = written.kind == Address::Space::kArena &&
                       written.parent.buffer == -1 && written.first == step &&
                       written.last > step;
  if (!is_dead || !is_free) return false;
  if (place.offset + written.bytes > root.bytes) return false;
  written.parent = place;
  root.last = std::max(root.last, written.last);
  return true;
}

// ---- Live ranges ----

void Buffers::ExtendLiveRange(int buffer, int step) {
  Buffer& root = RootOf(buffer);
  if (root.first == -1) root.first = step;
  root.last = std::max(root.last, step);
}

std::vector<int> Buffers::RootsOfArenas() const {
  std::vector<int> roots;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& buffer = buffers_[i];
    if (buffer.kind == Address::Space::kArena && buffer.parent.buffer == -1 &&
        buffer.first != -1) {
      roots.push_back(static_cast<int>(i));
    }
  }
  return roots;
}

// Leaves those roots that have been spilled. The arena's bytes.
int64_t Buffers::PutIntoArena(const ArenaOptions& options, int arena,
                              std::vector<int>& roots) {
  std::vector<ArenaRequest> requests;
  for (int root : roots) {
    const Buffer& buffer = buffers_[root];
    requests.push_back({buffer.bytes, buffer.first, buffer.last});
  }
  const ArenaPlan plan = dovetail::PlanArena(requests, options);
  std::vector<int> spilled;
  for (size_t i = 0; i < roots.size(); ++i) {
    if (plan.offsets[i] == ArenaPlan::kSpilled) {
      spilled.push_back(roots[i]);
      continue;
    }
    buffers_[roots[i]].index = arena;
    buffers_[roots[i]].parent.offset = plan.offsets[i];
  }
  roots = std::move(spilled);
  return plan.bytes;
}

absl::StatusOr<std::vector<int64_t>> Buffers::PlanArenas(
    absl::Span<const ArenaOptions> arenas) {
  std::vector<int> roots = RootsOfArenas();
  std::vector<int64_t> bytes;
  for (size_t i = 0; i < arenas.size(); ++i) {
    bytes.push_back(PutIntoArena(arenas[i], static_cast<int>(i), roots));
  }
  if (roots.empty()) return bytes;
  return ResourceExhausted(
      "a tensor of ", buffers_[roots.front()].bytes,
      " bytes has no room in the device's memory beside those that are needed "
      "at the same time");
}

int64_t Buffers::PlanArena() {
  std::vector<int> roots = RootsOfArenas();
  return PutIntoArena({}, 0, roots);
}

std::vector<Buffers::Region> Buffers::Regions() const {
  std::vector<Region> regions;
  for (const int root : RootsOfArenas()) {
    const Buffer& buffer = buffers_[root];
    regions.push_back({root, buffer.index, buffer.parent.offset, buffer.bytes,
                       buffer.first, buffer.last});
  }
  std::stable_sort(
      regions.begin(), regions.end(),
      [](const Region& a, const Region& b) { return a.first < b.first; });
  return regions;
}

Address Buffers::AddressOf(const Place& place) const {
  const Place in_root = Root(place);
  const Buffer& root = buffers_[in_root.buffer];
  Address address;
  address.space = root.kind;
  address.index = root.index;
  address.offset = in_root.offset;
  address.constant = root.constant;
  if (root.kind == Address::Space::kArena) address.offset += root.parent.offset;
  return address;
}

}  // namespace dovetail
