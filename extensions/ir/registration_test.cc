// That a program which links //extensions/ir reads IRs by the runtime's door.
#include <filesystem>
#include <fstream>
#include <string>

#include "dovetail/core/graph/structural.h"
#include "dovetail/core/runtime/model_reader.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/extensions/ir/testing/ir_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A new file in the folder of this test's files.
std::string Save(const std::string& name, const std::string& content) {
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / name).string();
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

// A constant of f32[2] that is the result.
std::string ConstantNet() {
  return ir::NetText(ir::ConstText(0, "pair", "f32", "2", 0, 8) +
                         ir::ResultText(1, "out"),
                     ir::EdgeText(0, 0, 1, 0));
}

TEST(RegistrationTest, IsListed) {
  EXPECT_THAT(ModelReaders::Global().Names(),
              ElementsAre("OpenVINO IR (.xml)"));
}

TEST(RegistrationTest, CoreReadsByContent) {
  Core core;
  for (const char* name : {"relu.xml", "relu.model"}) {
    const auto model = core.ReadModel(Save(name, ir::ReluNet()));
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ((*model)->parameters().size(), 1u);
    EXPECT_EQ((*model)->results().size(), 1u);
  }
}

// The bytes of the one constant of a model.
std::string BytesOf(const Model& model) {
  const auto* pair = model.FindNode("pair")->As<ConstantAttributes>();
  return std::string(static_cast<const char*>(pair->value.raw_data()), 8);
}

TEST(RegistrationTest, WeightsThatAreReadStayWhateverBecomesOfTheirFile) {
  const std::string xml = Save("in_memory.xml", ConstantNet());
  const std::string weights = Save("in_memory.weights", "12345678");
  Core core;
  const auto mapped = core.ReadModel(xml, weights);
  const auto read = core.ReadModel(xml, weights, {{"ENABLE_MMAP", "NO"}});
  ASSERT_TRUE(mapped.ok() && read.ok()) << read.status();
  // In place, as a program does that must not.
  std::fstream(weights, std::ios::in | std::ios::out) << "abcdefgh";
  EXPECT_EQ(BytesOf(**read), "12345678");
  EXPECT_EQ(BytesOf(**mapped), "abcdefgh");
}

TEST(RegistrationTest, CorePassesTheWeightsOn) {
  const std::string xml = Save("constant.xml", ConstantNet());
  const std::string weights = Save("elsewhere.weights", "12345678");
  Core core;
  const auto model = core.ReadModel(xml, weights);
  EXPECT_TRUE(model.ok()) << model.status();

  const auto without = core.ReadModel(xml);
  EXPECT_EQ(without.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(without.status().message()),
              HasSubstr("constant.bin"));
}

TEST(RegistrationTest, OtherFilesAreRefusedWithTheFormatsThereAre) {
  const auto model = Core().ReadModel(Save("list.xml", "<list/>"));
  EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(model.status().message()),
              HasSubstr("OpenVINO IR (.xml)"));
}

}  // namespace
}  // namespace dovetail
