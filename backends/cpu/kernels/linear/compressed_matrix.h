// Compressed matrices, packed for products: cut into
// panels of GemmPanelWidth() columns (gemm.h), each a sequence of groups of
// rows.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_MATRIX_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_MATRIX_H_

#include <array>
#include <cstdint>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

enum class WeightForm : uint8_t { kBits2, kBits4, kBits8, kCodeBook, kF16 };

// Of integers (kBits…), element (k, j) is (code - zero) * scale with an
// unsigned code, and a zero and a scale for each column of a group of rows. Of
// a code book it is the same with book[code] for a code of 4 bits. Of f16 it is
// the number itself; the matrix is one group.
//
// A group in a panel is the scales, the zeros if there are any, both f32, and
// units of RowsInUnit() rows: of codes a word of 32 bits a column, the first
// row in its lowest bits, and of f16 row after row.
struct CompressedMatrix {
  WeightForm form = WeightForm::kBits8;
  int64_t depth = 0, columns = 0;
  // Rows that share scales: all, or a divisor of depth and multiple of
  // RowsInUnit().
  int64_t group = 0;
  // Whether zeros differ; else all are `zero`.
  bool has_zeros = false;
  float zero = 0;
  // What the codes of kCodeBook stand for.
  std::array<float, 16> book = {};

  bool has_scales() const { return form != WeightForm::kF16; }
  int64_t RowsInUnit() const {
    switch (form) {
      case WeightForm::kBits2:
        return 16;
      case WeightForm::kBits4:
      case WeightForm::kCodeBook:
        return 8;
      case WeightForm::kBits8:
      case WeightForm::kF16:
        break;
    }
    return 4;
  }
  int64_t groups() const { return depth / group; }
  // The last unit is padded with codes, or numbers, of 0.
  int64_t UnitsInGroup() const {
    return (group + RowsInUnit() - 1) / RowsInUnit();
  }
  int64_t PaddedDepth() const {
    return groups() * UnitsInGroup() * RowsInUnit();
  }
  int64_t UnitBytes() const;
  int64_t HeadBytes() const;  // of scales and zeros of a group
  int64_t GroupBytes() const {
    return HeadBytes() + UnitsInGroup() * UnitBytes();
  }
  int64_t PanelBytes() const { return groups() * GroupBytes(); }
  // Of the whole matrix.
  int64_t Bytes() const;
};

// Elements in memory: (k, j) is number k * row_stride + j * column_stride of
// i2, u2, i4, u4, i8, u8, nf4, f4e2m1 or f16.
struct CodeSource {
  const void* data = nullptr;
  ElementType type = ElementType::kU8;
  int64_t row_stride = 0, column_stride = 0;
};

// Numbers for groups and columns: (g, j) is at g * group_stride + j *
// column_stride. For the integers as they are stored.
struct GroupSource {
  const float* data = nullptr;
  int64_t group_stride = 0, column_stride = 0;
};

// What is to be added to integers of a type, and to their zeros, so that they
// are unsigned.
int CodeOffset(ElementType type);

// The numbers of the sixteen codes of nf4 or f4e2m1.
std::array<float, 16> CodeBookOf(ElementType type);

// Packs panels [begin, end) to where they belong in `packed`, aligned to 64
// bytes. Scales are used when the matrix has_scales, zeros when it has_zeros.
void PackCompressedPanels(const CompressedMatrix& matrix,
                          const CodeSource& codes, const GroupSource& scales,
                          const GroupSource& zeros, int64_t begin, int64_t end,
                          uint8_t* packed);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_MATRIX_H_
