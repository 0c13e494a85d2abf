#include "dovetail/backends/cpu/kernels/convolution/transposed/pixel_tiles.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/convolution/transposed/pixel_tiles.cc"
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
// With 32 registers, and not 16, more sums than with 8 lanes.
constexpr bool kIsWide = kLanes == 16;

// Tiles of kColumns columns, of kVectors * kLanes pixels at a time.
template <int kColumns, int kVectors>
class Kernel {
 public:
  Kernel(const PixelTilesShape& shape, const ConvolutionOperands& operands)
      : s_(shape), operands_(operands), plane_(shape.height * shape.width) {}

  void RunRow(int64_t number) const {
    const int64_t n = number / s_.height, y = number % s_.height;
    const float* input =
        operands_.input + n * s_.inputs * plane_ + y * s_.width;
    int64_t x = 0;
    for (; x + kVectors * kLanes <= s_.width; x += kVectors * kLanes) {
      ComputePixels<kVectors>(input + x, n, y, x, kVectors * kLanes);
    }
    for (; x < s_.width; x += kLanes) {
      ComputePixels<1>(input + x, n, y, x, std::min(kLanes, s_.width - x));
    }
  }

 private:
  // All results of `count` pixels, of kNow * kLanes.
  template <int kNow>
  void ComputePixels(const float* input, int64_t n, int64_t y, int64_t x,
                     int64_t count) const {
    HWY_ALIGN float pixels[PixelTilesShape::kMaxInputs * kNow * kLanes];
    CopyPixels(input, count, kNow * kLanes, pixels);
    const int64_t width = s_.width * kColumns;
    const float* weights = operands_.weights;
    for (int64_t o = 0; o < s_.outputs; ++o) {
      const auto finisher = FinisherOf<D>::OfChannel(operands_.epilogue, o);
      for (int64_t r = 0; r < s_.rows; ++r, weights += s_.inputs * kColumns) {
        HWY_ALIGN float sums[kNow * kColumns * kLanes];
        Sum<kNow>(pixels, weights, sums);
        const int64_t row =
            ((n * s_.outputs + o) * s_.height + y) * s_.rows + r;
        float* const to = operands_.output + row * width + x * kColumns;
        for (int i = 0; i < kNow; ++i) {
          Store(finisher, sums + i * kColumns * kLanes, count - i * kLanes,
                to + i * kColumns * kLanes);
        }
      }
    }
  }

  // Planes often lie a power of two apart, where they displace each other from
  // the cache: all channels side by side, with zeros up to `padded` pixels.
  void CopyPixels(const float* input, int64_t count, int64_t padded,
                  float* to) const {
    for (int64_t c = 0; c < s_.inputs; ++c, input += plane_, to += padded) {
      std::fill(std::copy_n(input, count, to), to + padded, 0.0f);
    }
  }

  // To out[vector][column][lane]. Apart from what follows, whose constants
  // would take registers.
  template <int kNow>
  HWY_NOINLINE void Sum(const float* pixels, const float* weights,
                        float* out) const {
    V sums[kNow][kColumns];
    for (int i = 0; i < kNow; ++i) {
      for (int k = 0; k < kColumns; ++k) sums[i][k] = hn::Zero(kD);
    }
    for (int64_t c = 0; c < s_.inputs; ++c, pixels += kNow * kLanes) {
      V w[kColumns];
      for (int k = 0; k < kColumns; ++k) w[k] = hn::Set(kD, *weights++);
      for (int i = 0; i < kNow; ++i) {
        const V value = hn::Load(kD, pixels + i * kLanes);
        for (int k = 0; k < kColumns; ++k) {
          sums[i][k] = hn::MulAdd(value, w[k], sums[i][k]);
        }
      }
    }
    for (int i = 0; i < kNow; ++i) {
      for (int k = 0; k < kColumns; ++k) {
        hn::Store(sums[i][k], kD, out + (i * kColumns + k) * kLanes);
      }
    }
  }

  // Column by column to pixel by pixel, of up to kLanes pixels.
  HWY_INLINE void Store(const FinisherOf<D>& finisher, const float* sums,
                        int64_t count, float* to) const {
    V done[kColumns];
    for (int k = 0; k < kColumns; ++k) {
      done[k] = finisher.Finish(hn::Load(kD, sums + k * kLanes), 0);
    }
    if (count >= kLanes) return Interleave(done, to);
    HWY_ALIGN float all[kColumns * kLanes];
    Interleave(done, all);
    std::copy_n(all, count * kColumns, to);
  }

  HWY_INLINE void Interleave(const V* v, float* to) const {
    if constexpr (kColumns == 2) {
      hn::StoreInterleaved2(v[0], v[1], kD, to);
    } else if constexpr (kColumns == 3) {
      hn::StoreInterleaved3(v[0], v[1], v[2], kD, to);
    } else {
      hn::StoreInterleaved4(v[0], v[1], v[2], v[3], kD, to);
    }
  }

  const PixelTilesShape& s_;
  const ConvolutionOperands& operands_;
  const int64_t plane_;
};

template <class Kernel>
void RunRows(const Kernel& kernel, int64_t first, int64_t count) {
  for (int64_t i = first; i < first + count; ++i) kernel.RunRow(i);
}

void Convolve(const PixelTilesShape& shape, const ConvolutionOperands& operands,
              int64_t first, int64_t count) {
  switch (shape.columns) {
    case 2:
      return RunRows(Kernel < 2, kIsWide ? 8 : 5 > (shape, operands), first,
                     count);
    case 3:
      return RunRows(Kernel < 3, kIsWide ? 8 : 4 > (shape, operands), first,
                     count);
    default:
      return RunRows(Kernel < 4, kIsWide ? 6 : 2 > (shape, operands), first,
                     count);
  }
}

#else

void Convolve(const PixelTilesShape&, const ConvolutionOperands&, int64_t,
              int64_t) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(Convolve);

// To [output][row][input][column].
void PackPixelTiles(const PixelTilesShape& shape, const float* weights,
                    float* packed) {
  const int64_t rows = shape.outputs * shape.rows;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t c = 0; c < shape.inputs; ++c) {
      packed = std::copy_n(weights + (c * rows + row) * shape.columns,
                           shape.columns, packed);
    }
  }
}

void ConvolvePixelTiles(const PixelTilesShape& shape,
                        const ConvolutionOperands& operands, int64_t first,
                        int64_t count) {
  HWY_DYNAMIC_DISPATCH(Convolve)(shape, operands, first, count);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
