#include "dovetail/backends/gpu/custom/layers/run_layer.h"

#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/custom/layers/layer_op.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

constexpr double kTolerance = 1e-4;

absl::StatusOr<Outcome> RunLayer(const std::string& text,
                                 const std::string& file,
                                 const std::vector<Values>& inputs) {
  DOVETAIL_ASSIGN_OR_RETURN(const Model model,
                            ParseModelText(text, &FindLayerOp));
  return RunOnGpu(
      model, {{"CONFIG_FILE", absl::StrCat("testing/custom_kernels/", file)}},
      inputs);
}

}  // namespace

const Feature kSubGroups = {"sub-groups", &DeviceTraits::has_subgroups};
const Feature kUnevenGroups = {"non-uniform work groups",
                               &DeviceTraits::has_uneven_groups};

Values RandomValues(int count, unsigned seed, double low, double high) {
  Values values;
  uint32_t state = seed * 7919 + 12345;
  for (int i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    const double part = static_cast<double>(state >> 8) / (1 << 24);
    values.push_back(std::floor((low + part * (high - low)) * 8) / 8);
  }
  return values;
}

void ExpectLayer(const std::string& model, const std::string& file,
                 const std::vector<Values>& inputs,
                 const std::vector<Values>& outputs, const Feature* needs) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const auto got = RunLayer(model, file, inputs);
  if (needs != nullptr && !(GpuTraits().*needs->has)) {
    EXPECT_FALSE(got.ok()) << "the device has no " << needs->name;
    EXPECT_THAT(got.status().message(), testing::HasSubstr(needs->name));
    return;
  }
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(got->outputs.size(), outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_THAT(got->outputs[i],
                testing::Pointwise(testing::DoubleNear(kTolerance), outputs[i]))
        << "output " << i;
  }
}

std::string LayerModel(const std::string& layer,
                       const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs,
                       const std::string& attributes) {
  std::string text;
  std::vector<std::string> names, quoted;
  for (const std::string& input : inputs) {
    const size_t end = input.find('[');
    names.push_back(absl::StrCat("%x", names.size()));
    absl::StrAppend(&text, names.back(),
                    " = Parameter-0() {shape: ", input.substr(end),
                    ", element_type: ", input.substr(0, end), "}\n");
  }
  for (const std::string& output : outputs) {
    quoted.push_back(absl::StrCat("\"", output, "\""));
  }
  absl::StrAppend(&text, "%y = ", layer, "-0(", absl::StrJoin(names, ", "),
                  ") {outputs: [", absl::StrJoin(quoted, ", "), "]",
                  attributes.empty() ? "" : ", ", attributes, "}\n");
  for (size_t i = 0; i < outputs.size(); ++i) {
    absl::StrAppend(&text, "%o", i, " = Result-0(%y:", i, ") {}\n");
  }
  return text;
}

}  // namespace dovetail::gpu
