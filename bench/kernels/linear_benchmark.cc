// Matrix multiplications and attention, one thread: multiplications and, for
// few rows, bytes of weights per second.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "dovetail/backends/cpu/kernels/attention/attention.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_gemm.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"

namespace dovetail::cpu {
namespace {

// Rows, depth, columns. As many weights take turns as a network has, so that
// they come from memory as they do there.
void BM_Gemm(benchmark::State& state) {
  GemmProblem problem;
  problem.rows = state.range(0);
  problem.depth = state.range(1);
  problem.columns = state.range(2);
  const int64_t elements = PackedGemmElements(problem.depth, problem.columns);
  const int64_t matrices = std::max<int64_t>(1, (int64_t{1} << 24) / elements);
  const std::vector<float> weights(matrices * elements, 0.25f);
  const std::vector<float> a(problem.rows * problem.depth, 0.5f);
  std::vector<float> c(problem.rows * problem.columns);
  problem.a = {a.data(), problem.depth, 1};
  problem.c = c.data();
  problem.c_stride = problem.columns;
  int64_t matrix = 0;
  for (auto _ : state) {
    problem.packed_b = weights.data() + matrix++ % matrices * elements;
    for (int64_t row = 0; row < problem.rows; row += kGemmRowsAtATime) {
      RunGemm(problem, row, std::min(problem.rows, row + kGemmRowsAtATime), 0,
              GemmPanels(problem.columns));
    }
    benchmark::ClobberMemory();
  }
  const int64_t work = state.iterations() * problem.depth * problem.columns;
  state.SetItemsProcessed(work * problem.rows);
  state.SetBytesProcessed(work * static_cast<int64_t>(sizeof(float)));
}
BENCHMARK(BM_Gemm)
    ->ArgNames({"rows", "depth", "columns"})
    ->Args({1, 512, 1408})
    ->Args({1, 768, 3072})
    ->Args({1, 4096, 4096})
    ->Args({4, 768, 3072})
    ->Args({32, 512, 1408})
    ->Args({32, 1408, 512})
    ->Args({49, 96, 288})
    ->Args({3136, 96, 288})
    ->Args({3136, 384, 96})
    ->Args({500, 384, 384})
    ->Args({500, 384, 1536})
    ->Args({128, 768, 768})
    ->Args({128, 3072, 768})
    ->Args({197, 768, 3072})
    ->Args({196, 192, 768})
    ->Args({196, 768, 192})
    ->Args({192, 196, 392});

// The arguments' first: codes of so many bits, f16, or 0 for a code book.
WeightForm FormOf(int64_t bits) {
  switch (bits) {
    case 0:
      return WeightForm::kCodeBook;
    case 2:
      return WeightForm::kBits2;
    case 4:
      return WeightForm::kBits4;
    case 8:
      return WeightForm::kBits8;
    default:
      return WeightForm::kF16;
  }
}

// By compressed weights: rows, depth, columns, rows of a group.
void BM_CompressedGemm(benchmark::State& state) {
  CompressedProblem problem;
  CompressedMatrix& b = problem.b;
  b.form = FormOf(state.range(0));
  b.depth = state.range(2);
  b.columns = state.range(3);
  b.group = state.range(4);
  const int64_t matrices = std::max<int64_t>(1, (int64_t{1} << 26) / b.Bytes());
  const std::vector<uint8_t> weights(matrices * b.Bytes(), 0);
  problem.rows = state.range(1);
  const std::vector<float> a(problem.rows * b.depth, 0.5f);
  std::vector<float> c(problem.rows * b.columns);
  std::vector<float> thin(ThinRowsElements(b, problem.rows));
  problem.a = a.data();
  problem.a_stride = b.depth;
  problem.thin_rows = thin.data();
  problem.c = c.data();
  problem.c_stride = b.columns;
  int64_t matrix = 0;
  for (auto _ : state) {
    problem.packed_b = weights.data() + matrix++ % matrices * b.Bytes();
    if (!thin.empty()) PrepareThinRows(problem, thin.data());
    for (int64_t row = 0; row < problem.rows; row += kGemmRowsAtATime) {
      const int64_t end = std::min(problem.rows, row + kGemmRowsAtATime);
      RunCompressedGemm(problem, row, end, 0, GemmPanels(b.columns));
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * problem.rows * b.depth *
                          b.columns);
  state.SetBytesProcessed(state.iterations() * b.Bytes());
}
BENCHMARK(BM_CompressedGemm)
    ->ArgNames({"bits", "rows", "depth", "columns", "group"})
    ->Args({8, 1, 4096, 4096, 4096})
    ->Args({4, 1, 4096, 4096, 128})
    ->Args({2, 1, 4096, 4096, 128})
    ->Args({0, 1, 4096, 4096, 128})
    ->Args({16, 1, 4096, 4096, 4096})
    ->Args({8, 4, 4096, 4096, 4096})
    ->Args({4, 4, 4096, 4096, 128})
    ->Args({2, 4, 4096, 4096, 128})
    ->Args({0, 4, 4096, 4096, 128})
    ->Args({4, 128, 4096, 1024, 128})
    ->Args({2, 128, 4096, 1024, 128})
    ->Args({0, 128, 4096, 1024, 128});

void BM_PackGemm(benchmark::State& state) {
  const int64_t depth = 768, columns = 768;
  const std::vector<float> b(depth * columns, 0.25f);
  std::vector<float> packed(PackedGemmElements(depth, columns));
  const StridedMatrix matrix = state.range(0) != 0
                                   ? StridedMatrix{b.data(), 1, depth}
                                   : StridedMatrix{b.data(), columns, 1};
  for (auto _ : state) {
    PackGemmPanels(matrix, depth, columns, 0, GemmPanels(columns),
                   packed.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * depth * columns);
}
BENCHMARK(BM_PackGemm)->ArgName("transposed")->Arg(0)->Arg(1);

// Queries and keys of one head, with the packing of keys and values.
void BM_Attention(benchmark::State& state) {
  AttentionProblem problem;
  problem.queries = state.range(0);
  problem.keys = state.range(1);
  problem.depth = problem.width = 64;
  const std::vector<float> q(problem.queries * problem.depth, 0.1f);
  const std::vector<float> kv(problem.keys * problem.depth, 0.1f);
  std::vector<float> out(q.size());
  problem.q = {q.data(), problem.depth};
  problem.k = problem.v = {kv.data(), problem.depth};
  problem.out = out.data();
  problem.out_stride = problem.width;
  const int64_t rows = AttentionRowsAtATime(problem.queries, problem.keys);
  const bool in_place = AttentionReadsInPlace(problem.queries, problem.width);
  std::vector<float> packed(PackedAttentionElements(problem));
  std::vector<float> scratch(AttentionScratchElements(rows, problem.keys));
  for (auto _ : state) {
    if (!in_place) PackAttention(problem, packed.data());
    for (int64_t row = 0; row < problem.queries; row += rows) {
      RunAttention(problem, in_place ? nullptr : packed.data(), row,
                   std::min(problem.queries, row + rows), scratch.data());
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * problem.queries * problem.keys *
                          (problem.depth + problem.width));
}
BENCHMARK(BM_Attention)
    ->ArgNames({"queries", "keys"})
    ->Args({1, 8})
    ->Args({1, 2048})
    ->Args({49, 49})
    ->Args({128, 128})
    ->Args({197, 197})
    ->Args({500, 500})
    ->Args({1500, 1500});

}  // namespace
}  // namespace dovetail::cpu

BENCHMARK_MAIN();
