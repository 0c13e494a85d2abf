// Compressed matrices of random numbers, for tests of their products.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_EXAMPLE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_EXAMPLE_H_

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "dovetail/core/tensor/types/packing.h"

namespace dovetail::cpu {

inline std::vector<float> Random(int64_t count, float low, float high) {
  static std::mt19937 random(1);
  std::uniform_real_distribution<float> values(low, high);
  std::vector<float> result(count);
  for (float& x : result) x = values(random);
  return result;
}

struct CompressedCase {
  ElementType type;
  int64_t rows, depth, columns, group;
  bool has_zeros = false;
  bool transposed = true;  // how the source lies: [columns, depth]
};

inline WeightForm FormOf(ElementType type) {
  if (type == ElementType::kF16) return WeightForm::kF16;
  if (IsFloat(type)) return WeightForm::kCodeBook;
  const int bits = BitWidth(type);
  return bits == 2   ? WeightForm::kBits2
         : bits == 4 ? WeightForm::kBits4
                     : WeightForm::kBits8;
}

// Weights in their source, and what they are as numbers [depth, columns].
struct CompressedExample {
  explicit CompressedExample(const CompressedCase& c) {
    const int64_t count = c.depth * c.columns, groups = c.depth / c.group;
    scales = Random(groups * c.columns, 0.5f, 1.5f);
    const auto codes = static_cast<float>(1 << std::min(8, BitWidth(c.type)));
    zeros = Random(groups * c.columns, codes * 0.2f, codes * 0.8f);
    for (float& zero : zeros) zero = std::round(zero);
    matrix.form = FormOf(c.type);
    if (matrix.form == WeightForm::kCodeBook) matrix.book = CodeBookOf(c.type);
    matrix.depth = c.depth;
    matrix.columns = c.columns;
    matrix.group = c.group;
    matrix.has_zeros = c.has_zeros;
    matrix.zero = static_cast<float>(CodeOffset(c.type));
    source.type = c.type;
    source.row_stride = c.transposed ? 1 : c.columns;
    source.column_stride = c.transposed ? c.depth : 1;
    if (c.type == ElementType::kF16) {
      FillF16(count);
    } else {
      FillCodes(count);
    }
    numbers.resize(count);
    for (int64_t k = 0; k < c.depth; ++k) {
      for (int64_t j = 0; j < c.columns; ++j) {
        numbers[k * c.columns + j] = NumberAt(c, k, j);
      }
    }
  }

  void FillF16(int64_t count) {
    for (const float x : Random(count, -1, 1)) half_floats.emplace_back(x);
    source.data = half_floats.data();
  }

  void FillCodes(int64_t count) {
    const std::vector<float> random =
        Random(ByteSize(source.type, count).value(), 0, 255.9f);
    bytes.assign(random.begin(), random.end());
    source.data = bytes.data();
  }

  float NumberAt(const CompressedCase& c, int64_t k, int64_t j) const {
    const int64_t i = k * source.row_stride + j * source.column_stride;
    if (c.type == ElementType::kF16) return static_cast<float>(half_floats[i]);
    const int64_t g = k / c.group * c.columns + j;
    const float zero =
        c.has_zeros ? zeros[g] - static_cast<float>(CodeOffset(c.type)) : 0;
    return (CodeAt(c.type, i) - zero) * scales[g];
  }

  float CodeAt(ElementType type, int64_t i) const {
    if (type == ElementType::kI8) return static_cast<int8_t>(bytes[i]);
    if (type == ElementType::kU8) return bytes[i];
    const uint8_t bits = LoadPacked(type, bytes.data(), i);
    if (type == ElementType::kNf4) return Nf4BitsToFloat(bits);
    if (type == ElementType::kF4E2M1) return F4E2M1BitsToFloat(bits);
    return PackedBitsToInt(type, bits);
  }

  CompressedMatrix matrix;
  CodeSource source;
  std::vector<uint8_t> bytes;
  std::vector<Float16> half_floats;
  std::vector<float> scales, zeros, numbers;
};

// Memory for packed weights.
struct alignas(64) Line {
  uint8_t bytes[64];
};

// The matrix as it is packed, in two parts.
inline std::vector<Line> Packed(const CompressedExample& weights) {
  const CompressedMatrix& b = weights.matrix;
  std::vector<Line> memory(b.Bytes() / 64 + 1);
  const int64_t panels = GemmPanels(b.columns);
  const GroupSource scales = {weights.scales.data(), b.columns, 1};
  const GroupSource zeros = {weights.zeros.data(), b.columns, 1};
  for (const int64_t begin : {int64_t{0}, panels / 2}) {
    PackCompressedPanels(b, weights.source, scales, zeros, begin,
                         begin == 0 ? panels / 2 : panels,
                         memory.front().bytes);
  }
  return memory;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_EXAMPLE_H_
