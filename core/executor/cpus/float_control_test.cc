#include "dovetail/core/executor/cpus/float_control.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace dovetail {
namespace {

// Not folded when compiled.
float Half(float x) {
  volatile float value = x;
  volatile float half = 0.5f;
  return value * half;
}

constexpr float kSmallest = std::numeric_limits<float>::min();

TEST(FloatControl, DenormalsAreZerosWhileTheScopeLasts) {
  if (FloatControl::OfThread() ==
      FloatControl::OfThread().WithDenormalsAsZeros()) {
    GTEST_SKIP() << "this processor has no such control";
  }
  EXPECT_GT(Half(kSmallest), 0);
  {
    const ScopedFloatControl scope(
        FloatControl::OfThread().WithDenormalsAsZeros());
    EXPECT_EQ(Half(kSmallest), 0);
    // An operand, of a product that is no denormal number.
    volatile float denormal = std::numeric_limits<float>::denorm_min();
    volatile float large = std::numeric_limits<float>::max();
    EXPECT_EQ(denormal * large, 0);
    EXPECT_EQ(Half(2 * kSmallest), kSmallest);
  }
  EXPECT_GT(Half(kSmallest), 0);
}

TEST(FloatControl, IsOneThreads) {
  const FloatControl before = FloatControl::OfThread();
  const ScopedFloatControl scope(before.WithDenormalsAsZeros());
  std::thread other([&] {
    before.SetForThread();
    EXPECT_EQ(FloatControl::OfThread(), before);
  });
  other.join();
  EXPECT_EQ(FloatControl::OfThread(), before.WithDenormalsAsZeros());
}

}  // namespace
}  // namespace dovetail
