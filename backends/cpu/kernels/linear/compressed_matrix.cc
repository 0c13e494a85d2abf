#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"

#include <algorithm>
#include <cstring>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail::cpu {
namespace {

constexpr int kWordBytes = 4;

// The highest bits of all codes in a word.
uint32_t HighestBits(int bits) {
  return bits == 2 ? 0xaaaaaaaau : bits == 4 ? 0x88888888u : 0x80808080u;
}

// Reads words of codes that follow each other along rows.
class CodeReader {
 public:
  explicit CodeReader(const CodeSource& source)
      : source_(source),
        bytes_(static_cast<const uint8_t*>(source.data)),
        bits_(BitWidth(source.type)),
        // Signed codes become unsigned ones by their highest bits.
        flip_(CodeOffset(source.type) == 0 ? 0 : HighestBits(bits_)) {}

  // `count` rows from k on, of column j; the others are 0.
  uint32_t Word(int64_t k, int64_t j, int64_t count) const {
    const int64_t first = k * source_.row_stride + j * source_.column_stride;
    uint32_t word = 0;
    if (count * bits_ == 32 && source_.row_stride == 1 &&
        first * bits_ % 8 == 0) {
      std::memcpy(&word, bytes_ + first * bits_ / 8, kWordBytes);
      return word ^ flip_;
    }
    for (int64_t i = 0; i < count; ++i) {
      const uint32_t code = Code(first + i * source_.row_stride);
      word |= code << (bits_ * i);
    }
    const uint32_t filled = count * bits_ == 32
                                ? ~uint32_t{0}
                                : (uint32_t{1} << (count * bits_)) - 1;
    return word ^ (flip_ & filled);
  }

 private:
  uint32_t Code(int64_t i) const {
    const int64_t bit = i * bits_;
    return bytes_[bit / 8] >> (bit % 8) & ((1u << bits_) - 1);
  }

  const CodeSource& source_;
  const uint8_t* const bytes_;
  const int bits_;
  const uint32_t flip_;
};

// Packs one panel of columns [first, first + count).
class PanelPacker {
 public:
  PanelPacker(const CompressedMatrix& matrix, int64_t panel, uint8_t* to)
      : matrix_(matrix),
        width_(GemmPanelWidth()),
        first_(panel * width_),
        count_(std::min(width_, matrix.columns - first_)),
        to_(to) {}

  void PackCodes(const CodeSource& codes, const GroupSource& scales,
                 const GroupSource& zeros) {
    const CodeReader reader(codes);
    for (int64_t g = 0; g < matrix_.groups(); ++g) {
      PackNumbers(scales, g);
      if (matrix_.has_zeros) PackNumbers(zeros, g);
      const int64_t begin = g * matrix_.group, end = begin + matrix_.group;
      for (int64_t k = begin; k < end; k += matrix_.RowsInUnit()) {
        const int64_t rows = std::min(matrix_.RowsInUnit(), end - k);
        for (int64_t j = 0; j < width_; ++j, to_ += kWordBytes) {
          const uint32_t word =
              j < count_ ? reader.Word(k, first_ + j, rows) : 0;
          std::memcpy(to_, &word, kWordBytes);
        }
      }
    }
  }

  void PackF16(const CodeSource& source) {
    const auto* const from = static_cast<const uint16_t*>(source.data);
    for (int64_t k = 0; k < matrix_.PaddedDepth(); ++k) {
      for (int64_t j = 0; j < width_; ++j, to_ += sizeof(uint16_t)) {
        const int64_t i =
            k * source.row_stride + (first_ + j) * source.column_stride;
        const bool is_padding = k >= matrix_.depth || j >= count_;
        const uint16_t bits = is_padding ? uint16_t{0} : from[i];
        std::memcpy(to_, &bits, sizeof(bits));
      }
    }
  }

 private:
  void PackNumbers(const GroupSource& source, int64_t g) {
    for (int64_t j = 0; j < width_; ++j, to_ += sizeof(float)) {
      const int64_t i =
          g * source.group_stride + (first_ + j) * source.column_stride;
      const float number = j < count_ ? source.data[i] : 0.0f;
      std::memcpy(to_, &number, sizeof(number));
    }
  }

  const CompressedMatrix& matrix_;
  const int64_t width_, first_, count_;
  uint8_t* to_;
};

}  // namespace

int64_t CompressedMatrix::UnitBytes() const {
  if (form != WeightForm::kF16) return GemmPanelWidth() * kWordBytes;
  return GemmPanelWidth() * RowsInUnit() *
         static_cast<int64_t>(sizeof(uint16_t));
}

int64_t CompressedMatrix::HeadBytes() const {
  const int64_t numbers = (has_scales() ? 1 : 0) + (has_zeros ? 1 : 0);
  return numbers * GemmPanelWidth() * static_cast<int64_t>(sizeof(float));
}

int64_t CompressedMatrix::Bytes() const {
  return GemmPanels(columns) * PanelBytes();
}

int CodeOffset(ElementType type) {
  switch (type) {
    case ElementType::kI2:
      return 2;
    case ElementType::kI4:
      return 8;
    case ElementType::kI8:
      return 128;
    default:
      return 0;
  }
}

std::array<float, 16> CodeBookOf(ElementType type) {
  std::array<float, 16> book;
  for (uint8_t code = 0; code < 16; ++code) {
    book[code] = type == ElementType::kNf4 ? Nf4BitsToFloat(code)
                                           : F4E2M1BitsToFloat(code);
  }
  return book;
}

void PackCompressedPanels(const CompressedMatrix& matrix,
                          const CodeSource& codes, const GroupSource& scales,
                          const GroupSource& zeros, int64_t begin, int64_t end,
                          uint8_t* packed) {
  for (int64_t panel = begin; panel < end; ++panel) {
    PanelPacker packer(matrix, panel, packed + panel * matrix.PanelBytes());
    if (matrix.form == WeightForm::kF16) {
      packer.PackF16(codes);
    } else {
      packer.PackCodes(codes, scales, zeros);
    }
  }
}

}  // namespace dovetail::cpu
