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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

HWY_EXPORT(Sum);

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

// Of memory that no cache has: it is driven out before.
double MemoryBytesANs(const float* data, int64_t bytes) {
#if defined(__x86_64__)
  constexpr int64_t kLine = 64 / kFloatBytes;
  const auto count = static_cast<size_t>(bytes / kFloatBytes / 128 * 128);
  double best = 0;
  for (int i = 0; i < 2; ++i) {
    for (size_t at = 0; at < count; at += kLine) _mm_clflush(&data[at]);
    _mm_mfence();
    const double ns = ShortestNs(
        1, [&] { sink = HWY_DYNAMIC_DISPATCH(Sum)(data, count); });
    best = std::max(best, static_cast<double>(count * sizeof(float)) / ns);
  }
  return best;
#else
  return BytesANs(data, bytes);
#endif
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
  machine.memory_bytes_a_ns = MemoryBytesANs(data, kMi / 8);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
