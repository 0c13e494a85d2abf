#include "dovetail/backends/cpu/kernels/attention/narrow/narrow_attention.h"

#include <algorithm>
#include <vector>

#include "dovetail/backends/cpu/kernels/attention/attention_example.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

void Attend(const AttentionProblem& problem) {
  const int64_t queries = problem.queries;
  std::vector<float> packed(PackedNarrowAttentionElements(problem));
  PackNarrowAttention(problem, packed.data());
  const int64_t rows = NarrowAttentionRowsAtATime(queries, problem.keys);
  std::vector<float> scratch(NarrowAttentionScratchElements(problem, rows));
  for (int64_t row = 0; row < queries; row += rows) {
    RunNarrowAttention(problem, packed.data(), row,
                       std::min(queries, row + rows), scratch.data());
  }
}

void RunToBf16(const AttentionProblem& problem) {
  std::vector<uint16_t> out(problem.queries * problem.width);
  AttentionProblem narrow = problem;
  narrow.narrow_out = out.data();
  Attend(narrow);
  for (size_t i = 0; i < out.size(); ++i) {
    problem.out[i] = Bf16BitsToFloat(out[i]);
  }
}

// Of factors up to 1, each off by 2^-9 of itself.
constexpr double kTolerance = 1.5e-2;

TEST(NarrowAttentionTest, AgreesWithTheFormula) {
  if (!HasNarrowAttention(64)) {
    GTEST_SKIP() << "the processor has no dot products of bf16";
  }
  const ExampleSizes cases[] = {
      {7, 13, 20, 24},  {16, 32, 32, 32},  {33, 70, 32, 48},
      {13, 300, 16, 8}, {100, 31, 7, 64},  {9, 5000, 4, 4},
      {49, 49, 32, 32}, {65, 130, 96, 80}, {20, 40, 512, 512},
  };
  for (const ExampleSizes& c : cases) {
    for (const ExampleMask mask : kExampleMasks) {
      for (const bool has_sink : {false, true}) {
        for (const auto run : {&Attend, &RunToBf16}) {
          EXPECT_LT(AttentionExample(c, mask, has_sink).Error(run), kTolerance)
              << c.queries << " queries, " << c.keys << " keys, mask "
              << static_cast<int>(mask) << ", sink " << has_sink;
        }
      }
    }
  }
}

TEST(NarrowAttentionTest, DeclinesLongKeys) {
  EXPECT_FALSE(HasNarrowAttention(513));
}

}  // namespace
}  // namespace dovetail::cpu
