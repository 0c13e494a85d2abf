#include "dovetail/backends/gpu/custom/testing/custom_test.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/core/base/status.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gmock/gmock.h"

namespace dovetail::gpu {
namespace {

Values RandomValuesFor(const Node& parameter) {
  Values values;
  uint32_t state = 12345;
  const int64_t count = parameter.port().shape.ToShape().value().Count();
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    const double value = static_cast<double>(state >> 20) / 1024 - 2;
    values.push_back(parameter.port().type == ElementType::kF32
                         ? value
                         : std::floor(std::abs(value)));
  }
  return values;
}

}  // namespace

void CustomKernelsTest::SetUp() {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  folder_ = testing::TempDir() + "/custom_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::create_directories(folder_);
}

std::string CustomKernelsTest::Write(const std::string& name,
                                     const std::string& text) const {
  const std::string path = folder_ + "/" + name;
  std::ofstream(path) << text;
  return path;
}

std::string CustomKernelsTest::Layer(const std::string& name,
                                     const std::string& defines,
                                     const std::string& tensors,
                                     const std::string& sizes,
                                     const std::string& source) const {
  Write("k.cl", source);
  return Write("kernels.xml",
               absl::StrCat("<CustomLayer name=\"", name,
                            "\" type=\"SimpleGPU\" version=\"1\">\n"
                            "<Kernel entry=\"f\"><Source filename=\"k.cl\"/>",
                            defines, "</Kernel>\n<Buffers>", tensors,
                            "</Buffers>\n", sizes, "</CustomLayer>\n"));
}

absl::StatusOr<Outcome> CustomKernelsTest::Run(const std::string& model,
                                               const PropertyMap& properties) {
  DOVETAIL_ASSIGN_OR_RETURN(const Model parsed, ParseWithConstants(model));
  std::vector<Values> inputs;
  for (const auto& parameter : parsed.parameters()) {
    inputs.push_back(RandomValuesFor(*parameter));
  }
  return RunOnGpu(parsed, properties, inputs);
}

void CustomKernelsTest::ExpectAgrees(const std::string& model,
                                     const std::string& file,
                                     double tolerance) {
  const auto own = Run(model, {});
  const auto custom = Run(model, {{"CONFIG_FILE", file}});
  ASSERT_TRUE(own.ok()) << own.status();
  ASSERT_TRUE(custom.ok()) << custom.status();
  EXPECT_EQ(own->kernels.count("custom f"), 0u);
  EXPECT_EQ(custom->kernels.count("custom f"), 1u);
  ASSERT_EQ(own->outputs.size(), custom->outputs.size());
  for (size_t i = 0; i < own->outputs.size(); ++i) {
    EXPECT_THAT(
        custom->outputs[i],
        testing::Pointwise(testing::DoubleNear(tolerance), own->outputs[i]))
        << "output " << i;
  }
}

std::string CustomKernelsTest::MessageOf(const std::string& model,
                                         const std::string& file) {
  const auto outcome = Run(model, {{"CONFIG_FILE", file}});
  return outcome.ok() ? "" : std::string(outcome.status().message());
}

}  // namespace dovetail::gpu
