#include "dovetail/backends/cpu/isa/measure_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/isa/stopwatch.h"
#include "dovetail/core/tensor/tensor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/isa/measure_memory.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The sum of `count` floats, a multiple of 128. Four sums, so that what is
// measured is reading.
float Sum(const float* data, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a;
  for (size_t i = 0; i < count; i += 4 * lanes) {
    a = hn::Add(a, hn::LoadU(d, data + i));
    b = hn::Add(b, hn::LoadU(d, data + i + lanes));
    c = hn::Add(c, hn::LoadU(d, data + i + 2 * lanes));
    e = hn::Add(e, hn::LoadU(d, data + i + 3 * lanes));
  }
  return hn::GetLane(hn::Add(hn::Add(a, b), hn::Add(c, e)));
}

// The same of rows of 768 floats, eight at a time, as columns of weights are
// read. With kAsks those that come next are asked for meanwhile.
template <bool kAsks>
float SumRows(const float* data, size_t count) {
  constexpr size_t kRow = 768, kRows = 8;
  const hn::ScalableTag<float> d;
  hn::Vec<decltype(d)> sums[kRows];
#pragma GCC unroll 8
  for (auto& sum : sums) sum = hn::Zero(d);
  for (size_t at = 0; at + kRows * kRow <= count; at += kRows * kRow) {
    for (size_t k = 0; k < kRow; k += hn::Lanes(d)) {
#pragma GCC unroll 8
      for (size_t i = 0; i < kRows; ++i) {
        const float* const from = data + at + i * kRow + k;
        if constexpr (kAsks) {
          __builtin_prefetch(from + kRows * kRow, /*rw=*/0, /*locality=*/2);
        }
        sums[i] = hn::Add(sums[i], hn::LoadU(d, from));
      }
    }
  }
  for (size_t i = 1; i < kRows; ++i) sums[0] = hn::Add(sums[0], sums[i]);
  return hn::GetLane(sums[0]);
}

float SumRowsAsTheyCome(const float* data, size_t count) {
  return SumRows<false>(data, count);
}
float SumRowsAskedFor(const float* data, size_t count) {
  return SumRows<true>(data, count);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

HWY_EXPORT(Sum);
HWY_EXPORT(SumRowsAsTheyCome);
HWY_EXPORT(SumRowsAskedFor);

constexpr int64_t kFloatBytes = sizeof(float);
constexpr int kTimes = 3;

volatile float sink;

int64_t CacheBytes(int name, int64_t otherwise) {
  const int64_t bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

double BytesANs(const float* data, int64_t bytes) {
  const auto count = static_cast<size_t>(bytes / kFloatBytes / 128 * 128);
  const double ns = ShortestNs(
      kTimes, [&] { sink = HWY_DYNAMIC_DISPATCH(Sum)(data, count); });
  return static_cast<double>(count * sizeof(float)) / ns;
}

using SumFn = float (*)(const float* data, size_t count);

// What `sum` reads of memory that no cache has: it is driven out before.
double MemoryBytesANs(const float* data, int64_t bytes, SumFn sum) {
  const auto count = static_cast<size_t>(bytes / kFloatBytes / 128 * 128);
  double best = 0;
  for (int i = 0; i < 4; ++i) {
#if defined(__x86_64__)
    constexpr int64_t kLine = 64 / kFloatBytes;
    for (size_t at = 0; at < count; at += kLine) _mm_clflush(&data[at]);
    _mm_mfence();
#endif
    const double ns = ShortestNs(1, [&] { sink = sum(data, count); });
    best = std::max(best, static_cast<double>(count * sizeof(float)) / ns);
  }
  return best;
}

}  // namespace

void MeasureMemory(MachineModel& machine) {
  constexpr int64_t kKi = 1 << 10, kMi = 1 << 20;
  machine.l1.bytes = CacheBytes(_SC_LEVEL1_DCACHE_SIZE, 32 * kKi);
  machine.l2.bytes = CacheBytes(_SC_LEVEL2_CACHE_SIZE, 512 * kKi);
  // Others share it, in a virtual machine those that nobody here knows of, too.
  machine.l3.bytes =
      std::min(CacheBytes(_SC_LEVEL3_CACHE_SIZE, machine.l2.bytes),
               4 * machine.l2.bytes);
  // More than the L2 cache holds, and no more than can be written in a moment.
  const int64_t large = std::clamp(3 * machine.l2.bytes / 2, kMi, 3 * kMi);
  // Its pages come all at once, which is most of what there is to wait for.
  // Rows of tensors begin at any float, so that vectors lie across cache lines.
  constexpr int64_t kAside = 4;
  const auto memory = Tensor::AllocateUninitialized(
      ElementType::kF32, {large / kFloatBytes + kAside});
  if (!memory.ok()) return;
  const float* const data = memory->data<float>() + kAside;
  machine.l1.bytes_a_ns = BytesANs(data, machine.l1.bytes / 2);
  machine.l2.bytes_a_ns = BytesANs(data, machine.l2.bytes / 2);
  machine.l3.bytes_a_ns = BytesANs(data, large);
  const auto memory_of = [&](int64_t bytes, SumFn sum) {
    return MemoryBytesANs(data, bytes, sum);
  };
  machine.memory_bytes_a_ns =
      memory_of(kMi / 8, [](const float* from, size_t count) {
        return HWY_DYNAMIC_DISPATCH(Sum)(from, count);
      });
  constexpr int64_t kManyRows = 80 * 768 * kFloatBytes;
  machine.rows_bytes_a_ns =
      memory_of(kManyRows, [](const float* from, size_t count) {
        return HWY_DYNAMIC_DISPATCH(SumRowsAsTheyCome)(from, count);
      });
  machine.asked_rows_bytes_a_ns =
      memory_of(kManyRows, [](const float* from, size_t count) {
        return HWY_DYNAMIC_DISPATCH(SumRowsAskedFor)(from, count);
      });
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
