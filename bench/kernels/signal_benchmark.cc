// Fourier transforms, one thread: elements per second.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/backends/common/kernels/signal/fourier.h"
#include "dovetail/backends/common/kernels/signal/fourier_plan.h"

namespace dovetail::host {
namespace {

// Some 65536 numbers, along the last axis or across it.
void Transform(benchmark::State& state, FourierKind kind, int64_t inner) {
  const int64_t length = state.range(0), outer = 65536 / length / inner;
  const FourierPlan plan(length, kind == FourierKind::kRealForward);
  const FourierPass pass = {kind, outer, length, inner};
  const std::vector<float> in(2 * outer * length * inner, 0.5f);
  std::vector<float> out(2 * outer * (length + 2) * inner);
  const int64_t bytes = FourierScratchElements(plan) * int64_t{sizeof(float)};
  const std::unique_ptr<void, decltype(&std::free)> scratch(
      std::aligned_alloc(64, (bytes + 63) / 64 * 64), &std::free);
  for (auto _ : state) {
    RunFourier(plan, pass, in.data(), out.data(), 0, FourierUnits(pass),
               static_cast<float*>(scratch.get()));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * outer * length * inner);
}

void BM_FourierRows(benchmark::State& state) {
  Transform(state, FourierKind::kForward, 1);
}
BENCHMARK(BM_FourierRows)->Arg(64)->Arg(147)->Arg(224)->Arg(768);

void BM_FourierColumns(benchmark::State& state) {
  Transform(state, FourierKind::kForward, 32);
}
BENCHMARK(BM_FourierColumns)->Arg(64)->Arg(147)->Arg(224);

// Prime lengths on both sides of FourierPlan::kLargestRadix.
BENCHMARK(BM_FourierColumns)->Arg(31)->Arg(61)->Arg(67)->Arg(127);

void BM_FourierOfRealRows(benchmark::State& state) {
  Transform(state, FourierKind::kRealForward, 1);
}
BENCHMARK(BM_FourierOfRealRows)->Arg(64)->Arg(224)->Arg(1024);

}  // namespace
}  // namespace dovetail::host

BENCHMARK_MAIN();
