#include "dovetail/core/reference/signal/signal.h"

#include <cmath>
#include <complex>
#include <vector>

#include "dovetail/core/ops/signal/table.h"
#include "dovetail/core/reference/signal/fft.h"
#include "dovetail/core/reference/signal/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using Complex = std::complex<double>;

const OpTester tester(SignalOps(), SignalKernels());

// By the definition.
std::vector<Complex> SlowTransform(const std::vector<Complex>& x) {
  const double n = static_cast<double>(x.size());
  std::vector<Complex> y(x.size());
  for (size_t k = 0; k < x.size(); ++k) {
    for (size_t j = 0; j < x.size(); ++j) {
      y[k] +=
          x[j] * std::polar(1.0, -2 * M_PI * static_cast<double>(j * k) / n);
    }
  }
  return y;
}

TEST(FftTest, EqualsTheDefinitionAtAnyLength) {
  for (int n : {1, 2, 3, 5, 8, 12, 17, 32, 50}) {
    std::vector<Complex> x;
    for (int i = 0; i < n; ++i) x.emplace_back(std::sin(i * 1.7), i % 3);
    const std::vector<Complex> want = SlowTransform(x);
    std::vector<Complex> got = x;
    const Fft fft(n);
    fft.Forward(got.data());
    for (int i = 0; i < n; ++i) {
      EXPECT_LT(std::abs(got[i] - want[i]), 1e-9) << i << " of " << n;
    }
    fft.Inverse(got.data());
    for (int i = 0; i < n; ++i) {
      EXPECT_LT(std::abs(got[i] - x[i]), 1e-9) << i << " of " << n;
    }
  }
}

TEST(DftKernelTest, TransformsAlongAnAxis) {
  ExpectNear(tester.Outputs("DFT-7", {Floats(Shape({3, 2}),
                                             {1, 0, 2, 0, 3, 0}),
                                      Int64s(Shape({1}), {0})}),
             {6, 0, -1.5, 0.8660254, -1.5, -0.8660254});
}

TEST(DftKernelTest, PadsWithZeros) {
  ExpectNear(tester.Outputs("DFT-7", {Floats(Shape({1, 2}), {3, 1}),
                                      Int64s(Shape({1}), {-1}),
                                      Int64s(Shape({1}), {2})}),
             {3, 1, 3, 1});
}

TEST(DftKernelTest, InverseUndoesIt) {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Tensor axes = Int64s(Shape({2}), {0, 1});
  const auto there = tester.Outputs("DFT-7", {Floats(Shape({2, 3, 2}), x),
                                              axes});
  ASSERT_TRUE(there.ok()) << there.status();
  ExpectNear(tester.Outputs("IDFT-7", {(*there)[0], axes}), x);
}

TEST(RdftKernelTest, TransformsRealNumbers) {
  ExpectNear(tester.Outputs("RDFT-9", {Floats(Shape({4}), {1, 2, 3, 5}),
                                       Int64s(Shape({1}), {0})}),
             {11, 0, -2, 3, -3, 0});
}

TEST(RdftKernelTest, InverseUndoesItForEvenAndOdd) {
  for (int64_t n : {4, 5}) {
    std::vector<double> x;
    for (int i = 0; i < 3 * n; ++i) x.push_back(i * i % 7);
    const Tensor axes = Int64s(Shape({2}), {0, 1});
    const auto there =
        tester.Outputs("RDFT-9", {Floats(Shape({3, n}), x), axes});
    ASSERT_TRUE(there.ok()) << there.status();
    ExpectNear(tester.Outputs("IRDFT-9",
                              {(*there)[0], axes,
                               Int64s(Shape({2}), {-1, double(n)})}),
               x);
  }
}

TEST(StftKernelTest, TransformsFrames) {
  const std::vector<Tensor> inputs = {
      Floats(Shape({4}), {1, 2, 3, 4}), Floats(Shape({2}), {1, 1}),
      Int64s(Shape(), {2}), Int64s(Shape(), {1})};
  ExpectNear(tester.Outputs("STFT-15", inputs),
             {3, 0, -1, 0, 5, 0, -1, 0, 7, 0, -1, 0});
  ExpectNear(
      tester.Outputs("STFT-15", inputs, {{"transpose_frames", "true"}}),
      {3, 0, 5, 0, 7, 0, -1, 0, -1, 0, -1, 0});
}

TEST(IstftKernelTest, FramesMayBeFarApart) {
  const Tensor window = Floats(Shape({2}), {1, 1});
  const Tensor spectrum =
      Floats(Shape({2, 3, 2}), {6, 0, 6, 0, 6, 0, 2, 0, 2, 0, 2, 0});
  ExpectNear(tester.Outputs("ISTFT-16", {spectrum, window, Int64s(Shape(), {2}),
                                         Int64s(Shape(), {5e18}),
                                         Int64s(Shape(), {4})}),
             {4, 2, 0, 0});
}

TEST(IstftKernelTest, UndoesStft) {
  std::vector<double> x;
  for (int i = 0; i < 24; ++i) x.push_back(std::cos(i * 0.9));
  const Tensor window =
      Floats(Shape({8}), {.1, .4, .8, 1, 1, .8, .4, .1});
  const Tensor size = Int64s(Shape(), {8}), step = Int64s(Shape(), {4});
  const auto spectrum =
      tester.Outputs("STFT-15", {Floats(Shape({24}), x), window, size, step},
                     {{"transpose_frames", "true"}});
  ASSERT_TRUE(spectrum.ok()) << spectrum.status();
  ExpectNear(tester.Outputs("ISTFT-16", {(*spectrum)[0], window, size, step}),
             x);
  // Asked for more than there is: zeros follow.
  std::vector<double> longer = x;
  longer.resize(26, 0.0);
  ExpectNear(tester.Outputs("ISTFT-16", {(*spectrum)[0], window, size, step,
                                         Int64s(Shape(), {26})}),
             longer);
}

}  // namespace
}  // namespace dovetail
