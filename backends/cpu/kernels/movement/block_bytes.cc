#include "dovetail/backends/cpu/kernels/movement/block_bytes.h"

#include <cstring>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/movement/block_bytes.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

constexpr bool kHasVectors = false;
void BlockSixteen(const uint8_t*, int64_t, int64_t, uint8_t*) {}

#else

constexpr bool kHasVectors = true;

constexpr hn::FixedTag<uint8_t, 16> kBytes;
constexpr hn::FixedTag<uint16_t, 8> kPairs;
constexpr hn::FixedTag<uint32_t, 4> kFours;
using Bytes = hn::Vec<decltype(kBytes)>;

// low, high = a and b in turns.
template <class Tag>
HWY_INLINE void Mix(Tag d, Bytes a, Bytes b, Bytes& low, Bytes& high) {
  const auto x = hn::BitCast(d, a), y = hn::BitCast(d, b);
  low = hn::BitCast(kBytes, hn::InterleaveLower(d, x, y));
  high = hn::BitCast(kBytes, hn::InterleaveUpper(d, x, y));
}

// 16 elements of each row.
HWY_INLINE void BlockSixteen(const uint8_t* from, int64_t row_stride,
                             int64_t channels, uint8_t* to) {
  Bytes row[8], pair[8], four[8];
  for (int64_t c = 0; c < 8; ++c) {
    row[c] = c < channels ? hn::LoadU(kBytes, from + c * row_stride)
                          : hn::Zero(kBytes);
  }
  for (int c = 0; c < 4; ++c) {
    Mix(kBytes, row[2 * c], row[2 * c + 1], pair[c], pair[c + 4]);
  }
  // Pairs 0 to 3 are of the first 8 elements, the others of the last.
  for (int half = 0; half < 8; half += 4) {
    Mix(kPairs, pair[half], pair[half + 1], four[0], four[1]);
    Mix(kPairs, pair[half + 2], pair[half + 3], four[2], four[3]);
    for (int quarter = 0; quarter < 2; ++quarter) {
      Bytes low, high;
      Mix(kFours, four[quarter], four[quarter + 2], low, high);
      uint8_t* const at = to + half * 16 + quarter * 32;
      hn::StoreU(low, kBytes, at);
      hn::StoreU(high, kBytes, at + 16);
    }
  }
}

#endif

void Block(const uint8_t* from, int64_t row_stride, int64_t channels,
           int64_t count, uint8_t* to) {
  int64_t i = 0;
  for (; kHasVectors && i + 16 <= count; i += 16) {
    BlockSixteen(from + i, row_stride, channels, to + i * 8);
  }
  for (; i < count; ++i) {
    for (int64_t c = 0; c < 8; ++c) {
      to[i * 8 + c] = c < channels ? from[c * row_stride + i] : 0;
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

void BlockBytesOfPixels(const uint8_t* from, int64_t pixel_stride,
                        int64_t channels, int64_t count, uint8_t* to) {
  for (int64_t i = 0; i < count; ++i, from += pixel_stride, to += 8) {
    if (channels == 8) {
      std::memcpy(to, from, 8);  // one instruction
    } else {
      std::memset(to, 0, 8);
      std::memcpy(to, from, channels);
    }
  }
}

HWY_EXPORT(Block);

void BlockBytes(const uint8_t* from, int64_t row_stride, int64_t channels,
                int64_t count, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(Block)(from, row_stride, channels, count, to);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
