// Normalizations by mean and variance on f32: MVN, LayerNorm, GroupNorm,
// InstanceNorm, RMS. Output and input may be the same memory.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_VARIANCE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_VARIANCE_H_

#include <cmath>
#include <cstdint>

namespace dovetail::cpu {

struct VarianceOptions {
  float epsilon = 0;
  bool epsilon_in_root = true;  // sqrt(variance + epsilon), or sqrt() + epsilon
  bool divides = true;          // by the root; or else only subtracts the mean
};

// What differences from the mean are multiplied with.
inline double InverseRootOf(double variance, const VarianceOptions& options) {
  if (!options.divides) return 1;
  return options.epsilon_in_root ? 1 / std::sqrt(variance + options.epsilon)
                                 : 1 / (std::sqrt(variance) + options.epsilon);
}

// What a normalization reads and writes; scale and shift null for 1 and 0.
struct NormOperands {
  const float* in = nullptr;
  const float* scale = nullptr;
  const float* shift = nullptr;
  float* out = nullptr;
};

// (x - mean) / root * scale + shift over rows [begin, end) of `length` > 0
// numbers, one behind the other from `in` on. scale and shift are as long as a
// row. MVN over trailing axes is this too.
void LayerNormRows(const NormOperands& operands, int64_t length,
                   const VarianceOptions& options, int64_t begin, int64_t end);

// x / sqrt(mean(x^2) + epsilon) * scale over such rows; scale may be null.
void RmsNormRows(const float* in, const float* scale, float* out,
                 int64_t length, float epsilon, int64_t begin, int64_t end);

// Groups [begin, end) of a planar array {N, groups, channels, area}, which is
// N * groups groups: each is normalized as one row, channel c of group g scaled
// and shifted by element g * channels + c. InstanceNorm has one channel in each
// group.
struct GroupShape {
  int64_t groups;
  int64_t channels;  // in a group
  int64_t area;      // of a channel
};
void GroupNorm(const NormOperands& operands, const GroupShape& shape,
               const VarianceOptions& options, int64_t begin, int64_t end);

// InstanceNorm, which MVN over H and W is too, of blocked channels: blocks
// [begin, end) of an array {N * blocks, area, block}; scale and shift of length
// blocks * block.
struct BlockedShape {
  int64_t blocks;
  int64_t area;  // of a channel
  int block;     // 8 or 16
};
void InstanceNormBlocked(const NormOperands& operands,
                         const BlockedShape& shape,
                         const VarianceOptions& options, int64_t begin,
                         int64_t end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_VARIANCE_H_
