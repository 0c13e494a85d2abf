// The activations that third_party/onednn/activations.bzl replaces, beside
// their formulas in f64.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dovetail/backends/cpu/onednn/descriptors.h"
#include "gtest/gtest.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A multiple of no vector's lanes.
constexpr int kCount = 24001;

std::vector<float> Activate(Algorithm algorithm, float alpha,
                            std::vector<float> x) {
  const dnnl::memory::desc desc({static_cast<int64_t>(x.size())},
                                dnnl::memory::data_type::f32,
                                dnnl::memory::format_tag::a);
  const dnnl::eltwise_forward::primitive_desc primitive(
      CpuEngine(), dnnl::prop_kind::forward_inference, algorithm, desc, desc,
      alpha, 0.0f);
  EXPECT_NE(std::string(primitive.impl_info_str()).find("jit"),
            std::string::npos);
  const dnnl::memory memory(desc, CpuEngine(), x.data());
  dnnl::stream stream(CpuEngine());
  dnnl::eltwise_forward(primitive).execute(
      stream, {{DNNL_ARG_SRC, memory}, {DNNL_ARG_DST, memory}});
  stream.wait();
  return x;
}

double Formula(Algorithm algorithm, double alpha, double x) {
  switch (algorithm) {
    case Algorithm::eltwise_logistic:
      return 1.0 / (1.0 + std::exp(-x));
    case Algorithm::eltwise_swish:
      return x / (1.0 + std::exp(-alpha * x));
    case Algorithm::eltwise_gelu_erf:
      return x / 2 * std::erfc(-x / std::sqrt(2.0));
    case Algorithm::eltwise_gelu_tanh:
      return x / 2 *
             (1.0 +
              std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    default:
      return x * std::tanh(std::log1p(std::exp(x)));
  }
}

struct Case {
  Algorithm algorithm;
  float alpha;
};

std::vector<Case> Cases() {
  return {
      {Algorithm::eltwise_logistic, 0.0f},  {Algorithm::eltwise_swish, 1.0f},
      {Algorithm::eltwise_swish, 1.702f},   {Algorithm::eltwise_gelu_erf, 0.0f},
      {Algorithm::eltwise_gelu_tanh, 0.0f}, {Algorithm::eltwise_mish, 0.0f}};
}

TEST(ActivationsTest, FollowTheirFormulas) {
  std::vector<float> x(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = (i - kCount / 2) * 0.001f;
  for (const auto& [algorithm, alpha] : Cases()) {
    const std::vector<float> y = Activate(algorithm, alpha, x);
    for (int i = 0; i < kCount; ++i) {
      const double expected = Formula(algorithm, alpha, x[i]);
      ASSERT_NEAR(y[i], expected, 2e-7 + 4e-7 * std::abs(expected))
          << "algorithm " << static_cast<int>(algorithm) << " at " << x[i];
    }
  }
}

// Where powers are infinite or no normal numbers any more.
TEST(ActivationsTest, GoOnToTheirLimits) {
  const std::vector<float> x = {-1e30f, -1e6f,  -200.0f, -88.0f,
                                88.0f,  200.0f, 1e6f,    1e30f};
  for (const auto& [algorithm, alpha] : Cases()) {
    const std::vector<float> y = Activate(algorithm, alpha, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const bool is_sigmoid = algorithm == Algorithm::eltwise_logistic;
      const float above = is_sigmoid ? 1.0f : x[i];
      // With AVX2, powers end at 2^126.
      EXPECT_NEAR(y[i], x[i] < 0 ? 0.0f : above, x[i] < 0 ? 1e-7f : 0.0f)
          << "algorithm " << static_cast<int>(algorithm) << " at " << x[i];
    }
  }
}

TEST(ActivationsTest, OfInfinityAndNaN) {
  for (const auto& [algorithm, alpha] : Cases()) {
    const std::vector<float> y =
        Activate(algorithm, alpha, {kInfinity, std::nanf("")});
    const bool is_sigmoid = algorithm == Algorithm::eltwise_logistic;
    EXPECT_EQ(y[0], is_sigmoid ? 1.0f : kInfinity)
        << "algorithm " << static_cast<int>(algorithm);
    if (!is_sigmoid) {
      EXPECT_TRUE(std::isnan(y[1]))
          << "algorithm " << static_cast<int>(algorithm);
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
