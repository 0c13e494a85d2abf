// Uniform random numbers of f32 by the generator Philox4x32-10 (Salmon, Moraes,
// Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011), whose
// blocks of four numbers are computed each by itself.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_RANDOM_PHILOX_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_RANDOM_PHILOX_H_

#include <cstdint>

namespace dovetail::host {

inline constexpr int64_t kPhiloxBlock = 4;

// A draw's lowest 23 bits are a fraction, which is rounded times `extent`, and
// rounded plus `min`.
struct PhiloxUniform {
  uint64_t global_seed = 0, op_seed = 0;
  float min = 0, extent = 1;
};

// `count` numbers of the stream from the beginning of block `block` on.
void FillPhilox(const PhiloxUniform& uniform, uint64_t block, int64_t count,
                float* out);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_RANDOM_PHILOX_H_
