#include "dovetail/backends/cpu/kernels/convolution/depthwise/depthwise_tiles.h"

#include <algorithm>
#include <cstddef>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_TILES_ONCE_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_TILES_ONCE_

namespace dovetail::cpu {
namespace {

// Rows of the output from `begin` to `end` of one block of channels.
struct DepthwiseBand {
  int64_t begin, end;
  int64_t input_at, output_at;  // where the block's planes begin
  int64_t pixel;                // floats from one pixel to the next
  int64_t channel, channels;    // the first one, and how many there are
  const float* weights;
};

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Pixels of an output's row that are summed at a time: as many as leave
// registers for weights and a pixel, in two rows.
int64_t MaxColumns(int64_t lanes) { return lanes == 16 ? 8 : 6; }

struct Range {
  int64_t begin, end;
  int64_t size() const { return std::max<int64_t>(0, end - begin); }
};

// Rows of the input that output rows from `begin` to `end` read.
Range InputRows(const WindowAxis& rows, int64_t begin, int64_t end) {
  const int64_t first = begin * rows.stride - rows.pad;
  const int64_t last = (end - 1) * rows.stride - rows.pad + rows.kernel;
  const int64_t top = std::clamp<int64_t>(first, 0, rows.input);
  return {top, std::clamp<int64_t>(last, top, rows.input)};
}

// Columns of the window that any of the pixels of a tile needs.
Range ColumnTaps(const WindowAxis& columns, int64_t x, int64_t count) {
  const int64_t first = columns.pad - (x + count - 1) * columns.stride;
  const int64_t last = columns.input + columns.pad - x * columns.stride;
  return {std::max<int64_t>(0, first), std::min(columns.kernel, last)};
}

// Equal tiles of a row of the output: from `begin` on, number `i` of `count`.
int64_t TileBegin(int64_t extent, int64_t i, int64_t count) {
  return extent * i / count;
}

// Pixels of a row with what lies beside them.
int64_t PaddedColumns(const WindowAxis& columns) {
  return (columns.output - 1) * columns.stride + columns.kernel;
}

}  // namespace
}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_DEPTHWISE_TILES_ONCE_

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/convolution/depthwise/depthwise_tiles.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// After Highway.
#include "dovetail/backends/cpu/kernels/convolution/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
constexpr int64_t kLanes = HWY_MAX_BYTES / sizeof(float);
using D = hn::FixedTag<float, kLanes>;
using V = hn::Vec<D>;
constexpr D kD;
constexpr int kMaxColumns = kLanes == 16 ? 8 : 6;

class BandKernel {
 public:
  BandKernel(const DepthwiseTilesShape& shape, const DepthwiseBand& band,
             const ConvolutionOperands& operands, float* scratch)
      : rows_(shape.rows),
        columns_(shape.columns),
        band_(band),
        operands_(operands),
        finisher_(FinisherOf<D>::OfBlock(operands.epilogue, band.channel)),
        input_rows_(InputRows(rows_, band.begin, band.end)),
        row_floats_(PaddedColumns(columns_) * kLanes),
        scratch_(scratch) {}

  void Run() const {
    CopyInput();
    const int64_t count = DivideUp(columns_.output, kMaxColumns);
    for (int64_t y = band_.begin; y < band_.end; y += 2) {
      for (int64_t i = 0; i < count; ++i) {
        const int64_t x = TileBegin(columns_.output, i, count);
        const int64_t end = TileBegin(columns_.output, i + 1, count);
        if (y + 1 < band_.end) {
          Compute<2, kMaxColumns>(y, x, end - x);
        } else {
          Compute<1, kMaxColumns>(y, x, end - x);
        }
      }
    }
  }

 private:
  bool is_whole() const { return band_.channels == kLanes; }
  // The channels there are.
  hn::Mask<D> mask() const {
    return hn::FirstN(kD, static_cast<size_t>(band_.channels));
  }

  // Pixels side by side, with zeros before and after each row.
  void CopyInput() const {
    const int64_t padded = PaddedColumns(columns_);
    const int64_t left = std::min(columns_.pad, padded);
    const int64_t count = std::min(columns_.input, padded - left);
    float* to = scratch_;
    for (int64_t i = input_rows_.begin; i < input_rows_.end; ++i) {
      to = std::fill_n(to, left * kLanes, 0.0f);
      CopyPixels(
          operands_.input + band_.input_at + i * columns_.input * band_.pixel,
          count, to);
      to += count * kLanes;
      to = std::fill_n(to, (padded - left - count) * kLanes, 0.0f);
    }
  }

  HWY_INLINE void CopyPixels(const float* from, int64_t count,
                             float* to) const {
    if (is_whole()) {
      for (; count > 0; --count, from += band_.pixel, to += kLanes) {
        hn::StoreU(hn::LoadU(kD, from), kD, to);
      }
    } else {
      for (; count > 0; --count, from += band_.pixel, to += kLanes) {
        hn::StoreU(hn::MaskedLoad(mask(), kD, from), kD, to);
      }
    }
  }

  // A tile of `count` columns, at most kColumns.
  template <int kRows, int kColumns>
  void Compute(int64_t y, int64_t x, int64_t count) const {
    if constexpr (kColumns > 1) {
      if (count < kColumns) return Compute<kRows, kColumns - 1>(y, x, count);
    }
    HWY_ALIGN float sums[kRows * kColumns * kLanes] = {};
    Sum<kRows, kColumns>(y, x, sums);
    for (int k = 0; k < kRows; ++k) {
      const int64_t pixel = (y + k) * columns_.output + x;
      Store<kColumns>(sums + k * kColumns * kLanes,
                      band_.output_at + pixel * band_.pixel);
    }
  }

  // Of two rows, the first one's, then the second one's.
  template <int kRows, int kColumns>
  void Sum(int64_t y, int64_t x, float* sums) const {
    const Range first = InputRows(rows_, y, y + 1);
    if constexpr (kRows == 1) {
      Add<kColumns, true, false>(first, y, x, sums);
    } else {
      const Range second = InputRows(rows_, y + 1, y + 2);
      Add<kColumns, true, false>(
          {first.begin, std::min(first.end, second.begin)}, y, x, sums);
      Add<kColumns, true, true>({second.begin, first.end}, y, x, sums);
      Add<kColumns, false, true>(
          {std::max(first.end, second.begin), second.end}, y, x, sums);
    }
  }

  // What rows of the input add to the sums of row y, of the row after it, or of
  // both. They are in registers meanwhile: a function of its own, for what
  // follows would take some.
  template <int kColumns, bool kFirst, bool kSecond>
  HWY_NOINLINE void Add(const Range& inputs, int64_t y, int64_t x,
                        float* HWY_RESTRICT out) const {
    constexpr bool kBoth = kFirst && kSecond;
    if (inputs.size() == 0) return;
    if constexpr (!kFirst) out += kColumns * kLanes;
    V first[kColumns], second[kColumns];
    HWY_UNROLL(8)
    for (int k = 0; k < kColumns; ++k) {
      first[k] = hn::Load(kD, out + k * kLanes);
      if constexpr (kBoth)
        second[k] = hn::Load(kD, out + (kColumns + k) * kLanes);
    }
    const Range taps = ColumnTaps(columns_, x, kColumns);
    const int64_t weights_row = columns_.kernel * kLanes;
    // The second row's window begins a stride further down.
    const int64_t below = rows_.stride * weights_row;
    const int64_t top = y * rows_.stride - rows_.pad;
    for (int64_t i = inputs.begin; i < inputs.end; ++i) {
      const float* at = scratch_ + (i - input_rows_.begin) * row_floats_ +
                        (x * columns_.stride + taps.begin) * kLanes;
      const float* weights = band_.weights + (i - top) * weights_row +
                             taps.begin * kLanes - (kFirst ? 0 : below);
      AddRow<kColumns, kBoth>(at, weights, taps.size(), first, second);
    }
    HWY_UNROLL(8)
    for (int k = 0; k < kColumns; ++k) {
      hn::Store(first[k], kD, out + k * kLanes);
      if constexpr (kBoth)
        hn::Store(second[k], kD, out + (kColumns + k) * kLanes);
    }
  }

  // One row of the window.
  template <int kColumns, bool kBoth>
  HWY_INLINE void AddRow(const float* at, const float* weights, int64_t taps,
                         V* first, V* second) const {
    const int64_t step = columns_.stride * kLanes;
    const int64_t below = kBoth ? rows_.stride * columns_.kernel * kLanes : 0;
    for (; taps > 0; --taps, at += kLanes, weights += kLanes) {
      const V weight = hn::LoadU(kD, weights);
      const V other = hn::LoadU(kD, weights - below);
      HWY_UNROLL(8)
      for (int k = 0; k < kColumns; ++k) {
        const V pixel = hn::LoadU(kD, at + k * step);
        first[k] = hn::MulAdd(pixel, weight, first[k]);
        if constexpr (kBoth) second[k] = hn::MulAdd(pixel, other, second[k]);
      }
    }
  }

  template <int kColumns>
  HWY_INLINE void Store(const float* sums, int64_t at) const {
    for (int k = 0; k < kColumns; ++k, at += band_.pixel) {
      const V sum = hn::Load(kD, sums + k * kLanes);
      if (is_whole()) {
        hn::StoreU(finisher_.Finish(sum, at), kD, operands_.output + at);
      } else {
        hn::BlendedStore(finisher_.FinishSome(sum, at, band_.channels), mask(),
                         kD, operands_.output + at);
      }
    }
  }

  const WindowAxis &rows_, &columns_;
  const DepthwiseBand& band_;
  const ConvolutionOperands& operands_;
  const FinisherOf<D> finisher_;
  const Range input_rows_;
  const int64_t row_floats_;
  float* const scratch_;
};

void RunBand(const DepthwiseTilesShape& shape, const DepthwiseBand& band,
             const ConvolutionOperands& operands, float* scratch) {
  BandKernel(shape, band, operands, scratch).Run();
}

int64_t VectorLanes() { return kLanes; }

#else

void RunBand(const DepthwiseTilesShape&, const DepthwiseBand&,
             const ConvolutionOperands&, float*) {}
int64_t VectorLanes() { return 0; }

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

HWY_EXPORT(RunBand);
HWY_EXPORT(VectorLanes);

// Floats of a band that stay in the L2 cache beside its weights.
constexpr int64_t kBandFloats = 96 << 10;
// Pieces for each thread, so that they end at about the same time.
constexpr int64_t kPiecesAThread = 3;

// Rows of the output that are computed of one copy: as many as the cache holds,
// and fewer where there are threads to share them. A band's windows reach over
// its border, and those rows are copied twice, so it is half as high as a
// window at least.
int64_t BandRows(const DepthwiseTilesShape& shape, int64_t lanes,
                 int64_t blocks, int64_t threads) {
  const WindowAxis& rows = shape.rows;
  const int64_t fit = kBandFloats / (PaddedColumns(shape.columns) * lanes);
  const int64_t in_cache = (fit - rows.kernel) / rows.stride + 1;
  const int64_t bands =
      DivideUp(kPiecesAThread * threads, shape.batch * blocks);
  const int64_t shared = DivideUp(rows.output, threads == 1 ? 1 : bands);
  const int64_t least = std::max<int64_t>(2, rows.kernel / 2);
  const int64_t best = std::max(least, std::min(in_cache, shared));
  return std::min(rows.output, best + best % 2);
}

}  // namespace

int64_t DepthwiseTiles::Lanes() { return HWY_DYNAMIC_DISPATCH(VectorLanes)(); }

DepthwiseTiles::DepthwiseTiles(const DepthwiseTilesShape& shape, int threads)
    : shape_(shape),
      lanes_(Lanes()),
      blocks_(DivideUp(shape.channels, lanes_)),
      band_rows_(BandRows(shape, lanes_, blocks_, threads)),
      bands_(DivideUp(shape.rows.output, band_rows_)) {}

int64_t DepthwiseTiles::weights_floats() const {
  return blocks_ * shape_.rows.kernel * shape_.columns.kernel * lanes_;
}

void DepthwiseTiles::PackWeights(const float* from, float* to) const {
  const int64_t taps = shape_.rows.kernel * shape_.columns.kernel;
  std::fill_n(to, weights_floats(), 0.0f);
  for (int64_t c = 0; c < shape_.channels; ++c) {
    float* const block = to + c / lanes_ * taps * lanes_ + c % lanes_;
    for (int64_t tap = 0; tap < taps; ++tap) block[tap * lanes_] = *from++;
  }
}

int64_t DepthwiseTiles::scratch_floats() const {
  const int64_t rows =
      (band_rows_ - 1) * shape_.rows.stride + shape_.rows.kernel;
  return std::min(rows, shape_.rows.input) * PaddedColumns(shape_.columns) *
         lanes_;
}

double DepthwiseTiles::results() const {
  return static_cast<double>(shape_.batch * blocks_ * shape_.rows.output *
                             shape_.columns.output);
}

double DepthwiseTiles::products(int64_t least_sums) const {
  const int64_t least = least_sums / (shape_.rows.output > 1 ? 2 : 1);
  int64_t row_taps = 0, column_taps = 0;
  for (int64_t y = 0; y < shape_.rows.output; ++y) {
    row_taps += InputRows(shape_.rows, y, y + 1).size();
  }
  const int64_t tiles = DivideUp(shape_.columns.output, MaxColumns(lanes_));
  for (int64_t i = 0; i < tiles; ++i) {
    const int64_t x = TileBegin(shape_.columns.output, i, tiles);
    const int64_t end = TileBegin(shape_.columns.output, i + 1, tiles);
    column_taps += std::max(end - x, least) *
                   ColumnTaps(shape_.columns, x, end - x).size();
  }
  return static_cast<double>(shape_.batch * blocks_ * row_taps) *
         static_cast<double>(column_taps);
}

void DepthwiseTiles::Run(const ConvolutionOperands& operands, int64_t first,
                         int64_t count, float* scratch) const {
  const int64_t taps = shape_.rows.kernel * shape_.columns.kernel;
  const int64_t inputs = shape_.rows.input * shape_.columns.input;
  const int64_t outputs = shape_.rows.output * shape_.columns.output;
  for (int64_t i = first; i < first + count; ++i) {
    const int64_t plane = i / bands_;
    const int64_t n = plane / blocks_, block = plane % blocks_;
    DepthwiseBand band;
    band.begin = i % bands_ * band_rows_;
    band.end = std::min(band.begin + band_rows_, shape_.rows.output);
    band.channel = block * lanes_;
    band.weights = operands.weights + block * taps * lanes_;
    if (shape_.is_blocked) {
      band.pixel = band.channels = lanes_;
      band.input_at = plane * inputs * lanes_;
      band.output_at = plane * outputs * lanes_;
    } else {
      band.pixel = shape_.channels;
      band.channels = std::min(lanes_, shape_.channels - band.channel);
      band.input_at = n * inputs * band.pixel + band.channel;
      band.output_at = n * outputs * band.pixel + band.channel;
    }
    HWY_DYNAMIC_DISPATCH(RunBand)(shape_, band, operands, scratch);
  }
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
