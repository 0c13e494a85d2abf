// Layers that are marked to stay in f32 amid others in bf16.
#include "dovetail/transformations/common/precise.h"

#include <memory>
#include <string>

#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Two convolutions, each with factors behind it that go into its weights, and a
// matrix product.
constexpr char kModel[] = R"(
  %x = Parameter-0() {shape: [1,32,16,16], element_type: f32}  # x
  %w = Parameter-0() {shape: [32,32,3,3], element_type: f32}  # constant_0
  %v = Parameter-0() {shape: [32,32,3,3], element_type: f32}  # constant_1
  %f = Parameter-0() {shape: [1,32,1,1], element_type: f32}  # constant_2
  %a = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # first
  %b = Multiply-1(%a, %f) {}  # first_scale
  %c = Relu-0(%b) {}  # first_relu
  %d = Convolution-1(%c, %v) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1], auto_pad: explicit}  # second
  %e = Multiply-1(%d, %f) {}  # second_scale
  %g = Relu-0(%e) {}  # second_relu
  %s = Constant-0() {value: i64[2] {256, 32}}
  %r = Reshape-1(%g, %s) {special_zero: false}  # reshape
  %m = Parameter-0() {shape: [32,64], element_type: f32}  # constant_3
  %p = MatMul-0(%r, %m) {transpose_a: false, transpose_b: false}  # product
  %o = Result-0(%p) {}  # out
)";

// The precisions of first, second and product, where these are marked.
std::string PrecisionsOf(const std::vector<std::string>& marked) {
  const auto plugin = MakeCpuPlugin().value();
  PropertyLayers layers;
  layers.call = {{"INFERENCE_PRECISION_HINT", "bf16"}};
  layers.read_environment = false;
  const Config config = Config::Resolve(plugin->properties(), layers).value();
  auto model = std::make_unique<Model>(ParseWithConstants(kModel).value());
  for (const std::string& name : marked) MarkPrecise(*model->FindNode(name));
  const auto executable =
      plugin->Compile(std::move(model), StandaloneCall(config)).value();
  std::string text;
  for (const char* name : {"first_scale", "second_scale", "product"}) {
    const Node* const node = executable->runtime_model()->FindNode(name);
    if (node == nullptr) return std::string("no ") + name;
    text += executable->execution_info(*node).precision + " ";
  }
  return text;
}

TEST(PreciseTest, MarkedLayersStayInF32) {
  if (PrecisionsOf({}) != "bf16 bf16 bf16 ") {
    GTEST_SKIP() << "the processor has no instructions for bf16";
  }
  EXPECT_EQ(PrecisionsOf({"second"}), "bf16 f32 bf16 ");
  EXPECT_EQ(PrecisionsOf({"first", "product"}), "f32 bf16 f32 ");
}

}  // namespace
}  // namespace dovetail::cpu
