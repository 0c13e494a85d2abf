// The generators of random numbers that models expect, bit by bit.
#ifndef DOVETAIL_CORE_REFERENCE_RANDOM_STREAMS_H_
#define DOVETAIL_CORE_REFERENCE_RANDOM_STREAMS_H_

#include <array>
#include <cstdint>
#include <random>

namespace dovetail {

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", 2011), with the key and counter that TensorFlow gives it.
class PhiloxStream {
 public:
  PhiloxStream(uint64_t global_seed, uint64_t op_seed)
      : key_(global_seed), high_(op_seed) {}

  // Four numbers of 32 bits, each time the next ones.
  std::array<uint32_t, 4> Next();

 private:
  uint64_t key_;
  uint64_t low_ = 0;  // of the counter
  uint64_t high_;
};

// Where RandomUniform's numbers of 32 bits come from, one after the other.
class RandomBits {
 public:
  virtual ~RandomBits() = default;
  virtual uint32_t Next() = 0;
};

class PhiloxBits : public RandomBits {
 public:
  PhiloxBits(uint64_t global_seed, uint64_t op_seed)
      : stream_(global_seed, op_seed) {}
  uint32_t Next() override {
    if (used_ == 4) {
      block_ = stream_.Next();
      used_ = 0;
    }
    return block_[used_++];
  }

 private:
  PhiloxStream stream_;
  std::array<uint32_t, 4> block_{};
  int used_ = 4;
};

// The Mersenne Twister as PyTorch seeds it.
class TwisterBits : public RandomBits {
 public:
  explicit TwisterBits(uint64_t seed)
      : engine_(static_cast<uint32_t>(seed)) {}
  uint32_t Next() override { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_RANDOM_STREAMS_H_
