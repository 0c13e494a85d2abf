// DYNAMIC_QUANTIZATION_GROUP_SIZE: what is in force, and what it does to a
// model.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/unpacked_product.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_gemm.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/testing/graphs/random_model.h"
#include "dovetail/transformations/common/precise.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// A product of rows with weights of u8.
constexpr char kModel[] = R"(
  %a = Parameter-0() {shape: [20,64], element_type: f32}
  %w = Parameter-0() {shape: [40,64], element_type: u8}  # constant_0
  %f = Convert-0(%w) {destination_type: f32}
  %s = Parameter-0() {shape: [40,1], element_type: f32}  # constant_1
  %m = Multiply-1(%f, %s) {}
  %c = MatMul-0(%a, %m) {transpose_a: false, transpose_b: true}  # product
  %r = Result-0(%c) {}
)";

constexpr char kKey[] = "DYNAMIC_QUANTIZATION_GROUP_SIZE";
constexpr char kRow[] = "18446744073709551615";

// Elements are half a step of 127 away at most, and products vary in sign.
constexpr double kTolerance = 3e-2, kExact = 2e-5;

// By kernel of the product where `marked` is to stay f32.
std::string KernelOf(const PropertyMap& properties, bool marked = false) {
  const auto plugin = MakeCpuPlugin().value();
  PropertyLayers layers;
  layers.call = properties;
  layers.read_environment = false;
  const Config config = Config::Resolve(plugin->properties(), layers).value();
  auto model = std::make_unique<Model>(ParseWithConstants(kModel).value());
  if (marked) MarkPrecise(*model->FindNode("product"));
  const auto executable =
      plugin->Compile(std::move(model), StandaloneCall(config)).value();
  const Node* const node = executable->runtime_model()->FindNode("product");
  return node == nullptr ? "" : executable->execution_info(*node).kernel;
}

std::string InForce(const PropertyMap& properties) {
  return Network(kModel, properties).executable()->config().GetString(kKey);
}

TEST(DynamicQuantizationTest, IsInForceWhereItIsAskedForAndThereAreDots) {
  const auto with_dots = [](const char* size) {
    return HasQuantizedGemm() ? size : "0";
  };
  const PropertyMap any = {{"INFERENCE_PRECISION_HINT", "dynamic"}};
  PropertyMap accurate = any, set = any;
  accurate["EXECUTION_MODE_HINT"] = "ACCURACY";
  EXPECT_EQ(InForce(any), with_dots("32"));
  EXPECT_EQ(InForce({{"INFERENCE_PRECISION_HINT", "f32"}}), "0");
  EXPECT_EQ(InForce({{"INFERENCE_PRECISION_HINT", "bf16"}}), with_dots("32"));
  EXPECT_EQ(InForce(accurate), "0");
  for (const char* size : {"0", "64", kRow}) {
    set[kKey] = accurate[kKey] = size;
    EXPECT_EQ(InForce(set), with_dots(size));
    EXPECT_EQ(InForce(accurate), with_dots(size));
  }
}

TEST(DynamicQuantizationTest, MultipliesBytesWhereItIsInForce) {
  const std::string exact = "gemm_f32_by_8_bits";
  const std::string bytes = HasQuantizedGemm() ? "gemm_s8_by_8_bits" : exact;
  EXPECT_EQ(KernelOf({}), bytes);
  EXPECT_EQ(KernelOf({{kKey, kRow}}), bytes);
  // As exact as the type that is inferred in.
  EXPECT_EQ(KernelOf({{kKey, "0"}}),
            HasUnpackedProducts() ? "gemm_bf16_by_8_bits" : exact);
  EXPECT_EQ(KernelOf({{"EXECUTION_MODE_HINT", "ACCURACY"}}), exact);
  EXPECT_EQ(KernelOf({{"INFERENCE_PRECISION_HINT", "f32"}}), exact);
  EXPECT_EQ(KernelOf({}, /*marked=*/true), exact);
}

TEST(DynamicQuantizationTest, IsAsNearAsStepsOfBytesAre) {
  for (const char* size : {"0", "4", "32", kRow}) {
    const Network network(kModel, {{kKey, size}});
    const auto request = network.NewRequest();
    const auto inputs = network.Inputs({{20, 64}});
    const bool is_exact = std::string(size) == "0" && !HasUnpackedProducts();
    EXPECT_EQ(network.Check(*request, inputs,
                            is_exact ? kExact : kTolerance),
              "")
        << size;
  }
}

TEST(DynamicQuantizationTest, RefusesWhatIsNoSize) {
  const auto plugin = MakeCpuPlugin().value();
  for (const char* size : {"-1", "rows", "1.5"}) {
    EXPECT_EQ(plugin->properties().Check(kKey, size).status().code(),
              absl::StatusCode::kInvalidArgument)
        << size;
  }
}

}  // namespace
}  // namespace dovetail::cpu
