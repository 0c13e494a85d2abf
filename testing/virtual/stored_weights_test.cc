// Weights that a file stores as integers with scales in f16 are the same
// numbers wherever a model is cut, even in the midst of them.
#include <string>
#include <vector>

#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// f16 rounds the products of most of these.
constexpr char kStoredWeights[] = R"(
    %x = Parameter-0() {shape: [4], element_type: f32}  # x
    %w = Constant-0() {value: i8[4] {3, 41, 43, 127}}
    %s = Constant-0() {value: f16[] {0.0103}}
    %c = Convert-0(%w) {destination_type: f16}  # convert
    %m = Multiply-1(%c, %s) {auto_broadcast: numpy}  # scale
    %f = Convert-0(%m) {destination_type: f32}  # widen
    %p = Multiply-1(%x, %f) {auto_broadcast: numpy}  # product
    %o = Result-0(%p) {}
)";

std::vector<double> ResultsOf(const Model& model, const std::string& device) {
  const Core core;
  const auto compiled =
      core.Compile(model, device, {{"INFERENCE_PRECISION_HINT", "f32"}});
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  if (!compiled.ok()) return {};
  InferRequest request = compiled->NewRequest().value();
  const Tensor x = Floats({4}, {1, 1, 2, 3});
  EXPECT_TRUE(request.SetInput(0, x).ok());
  EXPECT_TRUE(request.Infer().ok());
  return ToDoubleVector(request.Output(0).value());
}

TEST(StoredWeightsTest, AreTheSameWhereverTheCutIs) {
  const std::string devices[] = {"CPU", "REFERENCE"};
  const std::vector<double> want =
      ResultsOf(ModelOf(kStoredWeights), "REFERENCE");
  for (int places = 0; places < 16; ++places) {
    Model model = ModelOf(kStoredWeights);
    int bit = 0;
    for (const char* layer : {"convert", "scale", "widen", "product"}) {
      model.FindNode(layer)->rt_info().Set({"affinity"},
                                           devices[places >> bit++ & 1]);
    }
    EXPECT_EQ(ResultsOf(model, "HETERO:CPU,REFERENCE"), want) << places;
  }
}

}  // namespace
}  // namespace dovetail
