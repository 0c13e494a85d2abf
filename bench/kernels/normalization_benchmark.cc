// Normalizations and reductions, one thread: elements per second.
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/backends/common/kernels/reduction/reduce.h"
#include "dovetail/backends/cpu/kernels/normalization/softmax.h"
#include "dovetail/backends/cpu/kernels/normalization/variance.h"

namespace dovetail::cpu {
namespace {

std::vector<float> Numbers(int64_t count) {
  std::vector<float> numbers(count);
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<float>(i * 37 % 1024) / 128 - 4;
  }
  return numbers;
}

void BM_SoftmaxRows(benchmark::State& state) {
  const int64_t length = state.range(0), rows = 65536 / length;
  const std::vector<float> in = Numbers(rows * length);
  std::vector<float> out(in.size());
  for (auto _ : state) {
    SoftmaxRows(SoftmaxKind::kSoftmax, in.data(), out.data(), length, 0, rows);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows * length);
}
BENCHMARK(BM_SoftmaxRows)->Arg(16)->Arg(128)->Arg(1000)->Arg(4096);

void BM_SoftmaxColumns(benchmark::State& state) {
  const int64_t length = 21, inner = state.range(0);
  const std::vector<float> in = Numbers(length * inner);
  std::vector<float> out(in.size());
  for (auto _ : state) {
    SoftmaxColumns(SoftmaxKind::kSoftmax, in.data(), out.data(), length, inner,
                   0, SoftmaxColumnUnits(1, inner));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * length * inner);
}
BENCHMARK(BM_SoftmaxColumns)->Arg(5)->Arg(4096);

void BM_LayerNorm(benchmark::State& state) {
  const int64_t length = state.range(0), rows = 65536 / length;
  const std::vector<float> in = Numbers(rows * length);
  const std::vector<float> scale = Numbers(length), shift = Numbers(length);
  std::vector<float> out(in.size());
  const VarianceOptions options{.epsilon = 1e-5f};
  for (auto _ : state) {
    LayerNormRows({in.data(), scale.data(), shift.data(), out.data()}, length,
                  options, 0, rows);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows * length);
}
BENCHMARK(BM_LayerNorm)->Arg(64)->Arg(768);

void BM_RmsNorm(benchmark::State& state) {
  const int64_t length = 768, rows = 128;
  const std::vector<float> in = Numbers(rows * length);
  const std::vector<float> scale = Numbers(length);
  std::vector<float> out(in.size());
  for (auto _ : state) {
    RmsNormRows(in.data(), scale.data(), out.data(), length, 1e-5f, 0, rows);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows * length);
}
BENCHMARK(BM_RmsNorm);

void BM_Reduce(benchmark::State& state, host::ReduceKind kind, int64_t outer,
               int64_t length, int64_t inner) {
  const host::ReduceStage stage{outer, length, inner};
  const std::vector<float> in = Numbers(stage.in_count());
  std::vector<float> out(stage.out_count());
  for (auto _ : state) {
    host::RunReduceStage(kind, true, stage, in.data(), out.data(), 0,
                         stage.units());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * stage.in_count());
}
BENCHMARK_CAPTURE(BM_Reduce, PoolPlanar, host::ReduceKind::kSum, 2048, 49, 1);
BENCHMARK_CAPTURE(BM_Reduce, PoolBlocked, host::ReduceKind::kSum, 256, 49, 8);
BENCHMARK_CAPTURE(BM_Reduce, PoolChannelsLast, host::ReduceKind::kSum, 1, 49,
                  2048);
BENCHMARK_CAPTURE(BM_Reduce, MaxOfRows, host::ReduceKind::kMax, 128, 768, 1);

}  // namespace
}  // namespace dovetail::cpu

BENCHMARK_MAIN();
