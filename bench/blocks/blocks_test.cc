#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/bench/blocks/block_list.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gtest/gtest.h"

namespace dovetail::blocks {
namespace {

// Parts of the greatest value. Weights that the file rounds to f16 may be exact,
// and values that are rounded to few levels may fall to the next.
double ToleranceOf(Form form) {
  if (form == Form::kQuantized) return 0.1;
  return form == Form::kFloat ? 1e-4 : 1e-2;
}

absl::StatusOr<std::vector<Tensor>> Infer(const Model& model,
                                          const std::string& device,
                                          const std::vector<Tensor>& inputs,
                                          const PropertyMap& properties) {
  DOVETAIL_ASSIGN_OR_RETURN(const CompiledModel compiled,
                            Core().Compile(model, device, properties));
  DOVETAIL_ASSIGN_OR_RETURN(InferRequest request, compiled.NewRequest());
  for (size_t i = 0; i < inputs.size(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(request.SetInput(static_cast<int>(i), inputs[i]));
  }
  DOVETAIL_RETURN_IF_ERROR(request.Infer());
  std::vector<Tensor> outputs(model.results().size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(outputs[i], request.Output(static_cast<int>(i)));
  }
  return outputs;
}

std::vector<Tensor> InputsOf(const Model& model) {
  std::vector<Shape> shapes;
  for (const Node* parameter : model.parameters()) {
    shapes.push_back(parameter->port().shape.ToShape().value());
  }
  return RandomInputs(model, shapes, /*seed=*/1);
}

// What is wrong with the block on the CPU; empty: nothing.
std::string Disagreement(const Block& block) {
  const auto model = MakeModel(block);
  if (!model.ok()) return model.status().ToString();
  const std::vector<Tensor> inputs = InputsOf(*model);
  const auto want = Infer(*model, "REFERENCE", inputs, {});
  if (!want.ok()) return want.status().ToString();
  const PropertyMap f32 = {{"INFERENCE_PRECISION_HINT", "f32"}};
  std::vector<PropertyMap> settings = {f32};
  // Only there integers are multiplied.
  if (block.form == Form::kQuantized) settings.emplace_back();
  for (const PropertyMap& properties : settings) {
    const auto got = Infer(*model, "CPU", inputs, properties);
    if (!got.ok()) return got.status().ToString();
    const std::string wrong =
        FirstDifference(*got, *want, ToleranceOf(block.form));
    if (!wrong.empty()) return wrong;
  }
  return "";
}

TEST(BlocksTest, TheCpuComputesWhatTheReferenceDoes) {
  for (const Block& block : SmallBlocks(/*seed=*/1)) {
    EXPECT_EQ(Disagreement(block), "") << block.name;
  }
}

TEST(BlocksTest, ThereAre200OfDifferentNames) {
  std::set<std::string> names;
  for (const Block& block : AllBlocks(/*seed=*/1)) names.insert(block.name);
  EXPECT_EQ(names.size(), 200u);
}

TEST(BlocksTest, FollowFromTheSeed) {
  const auto hash = [](unsigned seed) {
    return MakeModel(AllBlocks(seed).front())->Hash();
  };
  EXPECT_EQ(hash(1), hash(1));
  EXPECT_NE(hash(1), hash(2));
}

Tensor Bytes(const std::string& bytes) {
  const std::vector<uint8_t> values(bytes.begin(), bytes.end());
  const Shape shape = {static_cast<int64_t>(values.size())};
  return Tensor::FromValues<uint8_t>(shape, values).value();
}

TEST(BlocksTest, AreTheSameWhenWrittenAndRead) {
  for (const Block& block : SmallBlocks(/*seed=*/2)) {
    const auto model = MakeModel(block);
    ASSERT_TRUE(model.ok()) << block.name << ": " << model.status();
    const auto files = WriteIrToMemory(*model);
    ASSERT_TRUE(files.ok()) << block.name << ": " << files.status();
    const auto read = ReadIrFromMemory(files->xml, Bytes(files->weights));
    ASSERT_TRUE(read.ok()) << block.name << ": " << read.status();
    EXPECT_EQ(Model::Compare(*model, **read), absl::OkStatus()) << block.name;
  }
}

}  // namespace
}  // namespace dovetail::blocks
