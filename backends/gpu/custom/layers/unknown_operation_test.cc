// Operations that only a custom kernel computes.
#include <memory>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/custom/layers/layer_op.h"
#include "dovetail/backends/gpu/custom/layers/run_layer.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kFile[] = "testing/custom_kernels/addmul/add_mul.xml";

Model AddMul() {
  return ParseModelText(
             LayerModel("CustomAddMul", {"f32[16]", "f32[16]", "f32[16]"},
                        {"f32[16]"}),
             &FindLayerOp)
      .value();
}

TEST(UnknownOperationTest, AQueryNamesItsKernel) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const StandaloneCall call(Gpu(), {{"CONFIG_FILE", kFile}});
  const auto result = Gpu().Query(AddMul(), call);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->notes, testing::ElementsAre(HasSubstr("computes ")));
  ASSERT_EQ(result->layers.size(), 5u);
  const QueryResult::Layer& layer = result->layers[3];
  EXPECT_EQ(layer.type, "CustomAddMul-0");
  EXPECT_EQ(layer.how, absl::StrCat("custom kernel ", kFile, ":1"));
}

TEST(UnknownOperationTest, WithoutAKernelItIsRefusedByName) {
  if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
  const StandaloneCall call(Gpu());
  EXPECT_THAT(
      Gpu().Compile(std::make_unique<Model>(AddMul()), call).status().message(),
      AllOf(HasSubstr("CustomAddMul-0"), HasSubstr("no reference kernel")));
}

}  // namespace
}  // namespace dovetail::gpu
