#include "dovetail/backends/cpu/isa/measure_products.h"

#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/isa/measure_dot_products.h"
#include "dovetail/backends/cpu/isa/stopwatch.h"
#include "dovetail/backends/cpu/isa/tile_products.h"
#include "dovetail/backends/cpu/onednn/isa.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/isa/measure_products.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Enough for two units of four or five cycles each.
constexpr int kSums = 12;

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

// `rounds` times a product with each of kSums sums. `out` has a vector.
template <int kLanes>
HWY_NOINLINE void Multiply(int rounds, float* out) {
  using D = hn::FixedTag<float, kLanes>;
  const D d;
  const auto factor = hn::Load(d, out);
  hn::Vec<D> sums[kSums];
  HWY_UNROLL(12)
  for (auto& sum : sums) sum = factor;
  for (int i = 0; i < rounds; ++i) {
    HWY_UNROLL(12)
    for (auto& sum : sums) sum = hn::MulAdd(sum, factor, factor);
  }
  auto all = sums[0];
  for (int i = 1; i < kSums; ++i) all = hn::Add(all, sums[i]);
  hn::Store(all, d, out);
}

template <int kLanes>
double ProductsANs() {
  constexpr int kRounds = 500, kTimes = 20;
  HWY_ALIGN float out[kLanes] = {};
  const double ns = ShortestNs(kTimes, [&] { Multiply<kLanes>(kRounds, out); });
  return kRounds * kSums * kLanes / ns;
}

double By8() { return ProductsANs<8>(); }
#if HWY_MAX_BYTES >= 64
double By16() { return ProductsANs<16>(); }
#else
double By16() { return 0; }
#endif

#else

double By8() { return 0; }
double By16() { return 0; }

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {
namespace {

HWY_EXPORT(By8);
HWY_EXPORT(By16);

// Of vectors of 8 floats, in a cycle: two units.
constexpr double kProductsOfClock = 16;

}  // namespace

void MeasureProducts(MachineModel& machine) {
  machine.f32_8 = HWY_DYNAMIC_DISPATCH(By8)();
  machine.f32_16 = HWY_DYNAMIC_DISPATCH(By16)();
  if (Includes(UsableIsa(), Isa::kAvx512Amx)) {
    const double gigahertz = machine.f32_8 / kProductsOfClock;
    machine.bf16 = gigahertz * kBf16ProductsOfTiles;
    machine.int8 = gigahertz * kByteProductsOfTiles;
    return;
  }
  machine.bf16 = MeasureBf16Products(UsableIsa());
  machine.int8 = MeasureByteProducts(UsableIsa());
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
