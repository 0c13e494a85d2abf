#include "dovetail/backends/cpu/kernels/attention/attention.h"

#include <algorithm>
#include <vector>

#include "dovetail/backends/cpu/kernels/attention/attention_example.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

void Attend(const AttentionProblem& problem) {
  const int64_t queries = problem.queries;
  const bool in_place = AttentionReadsInPlace(queries, problem.width);
  std::vector<float> packed(PackedAttentionElements(problem));
  if (!in_place) PackAttention(problem, packed.data());
  const int64_t rows = AttentionRowsAtATime(queries, problem.keys);
  std::vector<float> scratch(AttentionScratchElements(rows, problem.keys));
  for (int64_t row = 0; row < queries; row += rows) {
    RunAttention(problem, in_place ? nullptr : packed.data(), row,
                 std::min(queries, row + rows), scratch.data());
  }
}

TEST(AttentionKernelTest, AgreesWithTheFormula) {
  const ExampleSizes cases[] = {
      {1, 1, 1, 1},     {1, 37, 64, 64},  {2, 9, 64, 32},
      {3, 5, 8, 10},    {7, 13, 20, 24},  {33, 70, 32, 48},
      {13, 300, 16, 8}, {100, 31, 7, 64}, {9, 5000, 4, 4},
  };
  for (const ExampleSizes& c : cases) {
    for (const ExampleMask mask : kExampleMasks) {
      for (const bool has_sink : {false, true}) {
        EXPECT_LT(AttentionExample(c, mask, has_sink).Error(&Attend), 1e-5)
            << c.queries << " queries, " << c.keys << " keys, mask "
            << static_cast<int>(mask) << ", sink " << has_sink;
      }
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
