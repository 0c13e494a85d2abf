// Transpositions and other copies, one thread: bytes read and written.
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/backends/common/kernels/movement/strided_copy.h"

namespace dovetail::cpu {
namespace {

void BM_Transpose(benchmark::State& state, std::vector<int64_t> dims,
                  std::vector<int64_t> order, int element_size) {
  const auto copy = host::MakeTranspose(dims, order, element_size);
  if (!copy.ok()) {
    state.SkipWithError("no such transposition");
    return;
  }
  int64_t bytes = element_size;
  for (const int64_t dim : dims) bytes *= dim;
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes);
  for (auto _ : state) {
    host::RunStridedCopy(*copy, from.data(), to.data(), 0, copy->unit_count);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * bytes * 2);
}
BENCHMARK_CAPTURE(BM_Transpose, Copy, {1 << 18}, {0}, 4);
BENCHMARK_CAPTURE(BM_Transpose, ToChannelsLast, {1, 64, 56, 56}, {0, 2, 3, 1},
                  4);
BENCHMARK_CAPTURE(BM_Transpose, ToPlanar, {1, 56, 56, 64}, {0, 3, 1, 2}, 4);
BENCHMARK_CAPTURE(BM_Transpose, ToPlanarLarge, {1, 256, 256, 64}, {0, 3, 1, 2},
                  4);
BENCHMARK_CAPTURE(BM_Transpose, Heads, {1, 128, 12, 64}, {0, 2, 1, 3}, 4);
BENCHMARK_CAPTURE(BM_Transpose, LastTwo, {12, 128, 64}, {0, 2, 1}, 4);
BENCHMARK_CAPTURE(BM_Transpose, PowerOfTwo, {1024, 1024}, {1, 0}, 4);
BENCHMARK_CAPTURE(BM_Transpose, Bytes, {1, 56, 56, 64}, {0, 3, 1, 2}, 1);
BENCHMARK_CAPTURE(BM_Transpose, Halves, {1, 56, 56, 64}, {0, 3, 1, 2}, 2);
BENCHMARK_CAPTURE(BM_Transpose, ThreeChannels, {1, 224, 224, 3}, {0, 3, 1, 2},
                  4);
BENCHMARK_CAPTURE(BM_Transpose, PixelShuffle, {1, 64, 2, 2, 28, 28},
                  {0, 1, 4, 2, 5, 3}, 4);

}  // namespace
}  // namespace dovetail::cpu

BENCHMARK_MAIN();
