// The source of chance of the mutation test: the same seed gives the same
// numbers on every machine.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_RANDOM_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace dovetail {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
  // generators", 2014.
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Below `limit`; 0 when that is 0.
  size_t Below(size_t limit) { return limit == 0 ? 0 : Next() % limit; }
  bool OneIn(size_t count) { return Below(count) == 0; }
  // An element of a container that is not empty.
  template <typename Container>
  auto& Of(Container&& container) {
    return container[Below(container.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_RANDOM_H_
