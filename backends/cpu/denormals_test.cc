// Numbers nearer to zero than 2^-126, where helpers compute too.
#include <algorithm>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compute_type.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/executor/cpus/float_control.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr char kModel[] = R"(
  %x = Parameter-0() {shape: [512,1024], element_type: f32}  # x
  %c = Constant-0() {value: f32[] {1e-20}}
  %y = Multiply-1(%x, %c) {}  # y
  %o = Result-0(%y) {}  # out
)";

// How many of the products of 1e-20 and 1e-20 are not zero.
int64_t CountDenormals(const Network& network) {
  const auto request = network.NewRequest();
  Tensor x = Tensor::Allocate(ElementType::kF32, {512, 1024}).value();
  std::fill_n(x.mutable_data<float>(), x.element_count(), 1e-20f);
  EXPECT_TRUE(request->SetInput(0, x).ok());
  EXPECT_TRUE(request->Infer().ok());
  const Tensor y = request->Output(0).value();
  const float* const values = y.data<float>();
  return std::count_if(values, values + y.element_count(), [](float value) {
    return value > 0.9e-40f && value < 1.1e-40f;
  });
}

absl::string_view InForce(const Network& network) {
  return network.executable()->config().GetBool(kDenormalsOptimization) ? "YES"
                                                                        : "NO";
}

TEST(DenormalsTest, CountAsZeros) {
  const FloatControl control = FloatControl::OfThread();
  if (control == control.WithDenormalsAsZeros()) {
    GTEST_SKIP() << "this processor always computes denormal numbers";
  }
  const Network network(kModel);
  EXPECT_EQ(InForce(network), "YES");
  EXPECT_EQ(CountDenormals(network), 0);
  EXPECT_EQ(FloatControl::OfThread(), control);
}

TEST(DenormalsTest, AreComputedOnRequest) {
  for (const PropertyMap& properties :
       {PropertyMap{{"CPU_DENORMALS_OPTIMIZATION", "NO"}},
        PropertyMap{{"EXECUTION_MODE_HINT", "ACCURACY"}}}) {
    const Network network(kModel, properties);
    EXPECT_EQ(InForce(network), "NO");
    EXPECT_EQ(CountDenormals(network), 512 * 1024);
  }
}

}  // namespace
}  // namespace dovetail::cpu
