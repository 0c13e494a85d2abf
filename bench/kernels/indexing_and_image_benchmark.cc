// Resizing, gathering and choosing the best, one thread.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/backends/common/kernels/image/resize.h"
#include "dovetail/backends/common/kernels/indexing/gather.h"
#include "dovetail/backends/common/kernels/indexing/top_k.h"

namespace dovetail::cpu {
namespace {

std::vector<float> Numbers(int64_t count) {
  std::vector<float> numbers(count);
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<float>(i * 7919 % 10007);
  }
  return numbers;
}

// Twice as large; with `taps` neighbours for each element.
host::ResizeTaps Twice(int64_t extent, int64_t taps) {
  std::vector<int64_t> first, indices;
  for (int64_t o = 0; o < 2 * extent; ++o) {
    first.push_back(static_cast<int64_t>(indices.size()));
    for (int64_t t = 0; t < taps; ++t) {
      indices.push_back(std::min(extent - 1, o / 2 + t));
    }
  }
  first.push_back(static_cast<int64_t>(indices.size()));
  const std::vector<double> weights(indices.size(), 1.0 / taps);
  return host::ResizeTaps(first, indices, weights);
}

void BM_Resize(benchmark::State& state, int64_t taps, int64_t channels) {
  const int64_t planes = 64 / channels, size = 40;
  const std::vector<float> in = Numbers(planes * size * size * channels);
  std::vector<float> out(4 * in.size());
  const host::ResizeTaps along = Twice(size, taps);
  for (auto _ : state) {
    host::Resize({size, size, channels, along, along}, in.data(), out.data(), 0,
                 planes * 2 * size);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<int64_t>(out.size()));
}
BENCHMARK_CAPTURE(BM_Resize, NearestPlanar, 1, 1);
BENCHMARK_CAPTURE(BM_Resize, NearestBlocked, 1, 8);
BENCHMARK_CAPTURE(BM_Resize, NearestChannelsLast, 1, 64);
BENCHMARK_CAPTURE(BM_Resize, LinearPlanar, 2, 1);
BENCHMARK_CAPTURE(BM_Resize, LinearBlocked, 2, 8);
BENCHMARK_CAPTURE(BM_Resize, LinearChannelsLast, 2, 64);
BENCHMARK_CAPTURE(BM_Resize, CubicPlanar, 4, 1);
BENCHMARK_CAPTURE(BM_Resize, CubicBlocked, 4, 8);

void BM_Embedding(benchmark::State& state) {
  const int64_t run = state.range(0), count = 65536 / run;
  const std::vector<float> data = Numbers(30000 * run / 8);
  std::vector<int64_t> indices(count);
  const host::GatherShape shape{
      .extent = static_cast<int64_t>(data.size()) / run,
      .count = count,
      .run_bytes = run * 4};
  for (int64_t i = 0; i < count; ++i) indices[i] = i * 7919 % shape.extent;
  std::vector<float> out(count * run);
  for (auto _ : state) {
    host::Gather(shape, data.data(), {indices.data(), true}, out.data(), 0,
                 count);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * count * run * 8);
}
BENCHMARK(BM_Embedding)->Arg(1)->Arg(64)->Arg(768);

void BM_TopK(benchmark::State& state) {
  const int64_t length = 100000, k = state.range(0);
  const std::vector<float> in = Numbers(length);
  std::vector<float> values(k);
  std::vector<int32_t> indices(k);
  std::vector<uint64_t> scratch(host::TopKScratch(length, k));
  for (auto _ : state) {
    host::TopKRows(in.data(), length, k, {},
                   {.values = values.data(), .indices_i32 = indices.data()},
                   scratch.data(), 0, 1);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * length);
}
BENCHMARK(BM_TopK)->Arg(1)->Arg(10)->Arg(1000);

void BM_ArgMaxOfChannels(benchmark::State& state) {
  const int64_t channels = 21, area = 128 * 128;
  const std::vector<float> in = Numbers(channels * area);
  std::vector<int32_t> indices(area);
  for (auto _ : state) {
    host::BestOfColumns(in.data(), channels, area, true,
                        {.indices_i32 = indices.data()}, 0, area / 128);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * channels * area);
}
BENCHMARK(BM_ArgMaxOfChannels);

}  // namespace
}  // namespace dovetail::cpu

BENCHMARK_MAIN();
