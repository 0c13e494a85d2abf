#include "dovetail/backends/cpu/kernels/image/resize_bf16.h"

#include <vector>

#include "dovetail/core/tensor/types/narrow_float.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using host::ResizeTaps;

// Element o is what lies `reach` elements around o * in / out, with weights
// that are exact in bf16; each third has none, as in a border of zeros.
ResizeTaps Taps(int64_t in, int64_t out, int64_t reach) {
  std::vector<int64_t> first = {0}, indices;
  std::vector<double> weights;
  for (int64_t o = 0; o < out; ++o) {
    for (int64_t k = 0; k < reach && o % 3 != 2; ++k) {
      indices.push_back((o * in / out + k) % in);
      weights.push_back(k % 2 == 0 ? 0.75 : 0.25);
    }
    first.push_back(static_cast<int64_t>(indices.size()));
  }
  return ResizeTaps(first, indices, weights);
}

// Compares with host::Resize of the same numbers in f32.
void ExpectResized(int64_t channels, const ResizeTaps& rows,
                   const ResizeTaps& columns) {
  constexpr int64_t kPlanes = 2, kRows = 7, kColumns = 9;
  ASSERT_TRUE(Bf16Resize::IsSupported(channels, rows, columns));
  const int64_t inputs = kPlanes * kRows * kColumns * channels;
  std::vector<float> floats(inputs);
  std::vector<uint16_t> in(inputs);
  for (int64_t i = 0; i < inputs; ++i) {
    in[i] = FloatToBf16Bits(static_cast<float>(i * 37 % 101) - 50.0f);
    floats[i] = Bf16BitsToFloat(in[i]);
  }
  const int64_t units = kPlanes * rows.output();
  const int64_t outputs = units * columns.output() * channels;
  std::vector<float> want(outputs);
  std::vector<uint16_t> got(outputs + 1, 77);
  const host::ResizeProblem problem = {kRows, kColumns, channels, rows,
                                       columns};
  host::Resize(problem, floats.data(), want.data(), 0, units);
  ResizeBf16(problem, in.data(), got.data(), units / 2, units);
  ResizeBf16(problem, in.data(), got.data(), 0, units / 2);
  EXPECT_EQ(got.back(), 77) << "wrote behind the end";
  for (int64_t i = 0; i < outputs; ++i) {
    ASSERT_EQ(got[i], FloatToBf16Bits(want[i])) << "element " << i;
  }
}

TEST(ResizeBf16Test, AgreesWithFloats) {
  for (const int64_t channels : {16, 17, 32, 40, 100}) {
    ExpectResized(channels, Taps(7, 14, 2), Taps(9, 18, 2));
    ExpectResized(channels, Taps(7, 14, 1), Taps(9, 18, 1));
    ExpectResized(channels, Taps(7, 3, 4), Taps(9, 5, 4));
    ExpectResized(channels, Taps(7, 3, 3), Taps(9, 9, 1));
    ExpectResized(channels, Taps(7, 3, 0), Taps(9, 9, 1));
  }
}

TEST(ResizeBf16Test, LeavesFewChannelsAndManyTaps) {
  const ResizeTaps two = Taps(7, 14, 2), nine = Taps(7, 3, 9);
  EXPECT_FALSE(Bf16Resize::IsSupported(15, two, two));
  EXPECT_FALSE(Bf16Resize::IsSupported(16, two, nine));
}

}  // namespace
}  // namespace dovetail::cpu
