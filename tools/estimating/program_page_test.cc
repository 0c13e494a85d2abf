#include "dovetail/tools/estimating/program_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/testing/graphs/small_models.h"
#include "dovetail/tools/estimating/loop_inferences.h"
#include "dovetail/tools/profiling/chrome_trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::cli {
namespace {

using Json = nlohmann::json;

constexpr char kNetwork[] = R"(
  %x = Parameter-0() {shape: [1,1,16,16], element_type: f16}  # x
  %w = Constant-0() {value: f16[2,1,1,1] {1, 2}}
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}  # conv
  %r = Relu-0(%c) {}  # relu
  %s = Sigmoid-0(%r) {}  # sigmoid
  %0 = Result-0(%s) {}  # out
)";

class ProgramPageTest : public testing::Test {
 protected:
  const vpu::Program program_ =
      vpu::Program::Compile(*vpu::DefaultMachine(), ModelOf(kNetwork)).value();
  const vpu::LoopTimes loop_ = vpu::RunClosedLoop(program_, 2).value();
};

TEST_F(ProgramPageTest, InferencesHaveAllStagesOfTheProgramAndTheHost) {
  const auto inferences = InferencesOf(program_, loop_);
  ASSERT_EQ(inferences.size(), 2u);
  for (const profiling::Inference& inference : inferences) {
    ASSERT_EQ(inference.records.size(), program_.stages().size() + 6);
    int64_t sum = 0;
    for (const ProfilingRecord& record : inference.records) {
      sum += record.duration_ns;
      if (record.name != "conv") continue;
      EXPECT_TRUE(record.lane == "NCE 0" || record.lane == "NCE 1");
      EXPECT_EQ(record.kernel, "nce_f16");
    }
    EXPECT_EQ(sum, inference.duration_ns);
  }
  EXPECT_NE(inferences[0].records[3].lane, inferences[1].records[3].lane);
}

// Two tiles; while the second is computed, the first is copied.
constexpr char kTiles[] = R"(
  %x = Parameter-0() {shape: [1,128,28,28], element_type: f16}  # x
  %w = Parameter-0() {shape: [512,128,1,1], element_type: f16}  # w
  %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}  # conv
  %s = Erf-0(%c) {}  # erf
  %0 = Result-0(%s) {}  # out
)";

TEST(LoopInferencesTest, WhatIsHiddenBeginsWithItsEnginesStage) {
  const vpu::Program program =
      vpu::Program::Compile(*vpu::DefaultMachine(), ModelOf(kTiles)).value();
  const auto inferences =
      InferencesOf(program, vpu::RunClosedLoop(program, 1).value());
  ASSERT_EQ(inferences.size(), 1u);
  ASSERT_EQ(inferences[0].hidden.size(), 1u);
  const ProfilingRecord& copy = inferences[0].hidden[0];
  EXPECT_EQ(copy.name, "conv@soh=1/2@copy");
  EXPECT_EQ(copy.lane, "DMA");
  EXPECT_GT(copy.duration_ns, 0);
  int64_t sum = 0;
  for (const ProfilingRecord& record : inferences[0].records) {
    sum += record.duration_ns;
    if (record.name != "conv@soh=2/2") continue;
    EXPECT_EQ(record.start_ns, copy.start_ns);
    EXPECT_LE(copy.duration_ns, record.duration_ns);
  }
  EXPECT_EQ(sum, inferences[0].duration_ns);
}

TEST_F(ProgramPageTest, EachUnitAndTheLinkHaveARow) {
  const auto inferences = InferencesOf(program_, loop_);
  std::vector<std::string> host, device;
  for (const profiling::Row& row : profiling::RowsOf(inferences, "VPU")) {
    (row.process == "host" ? host : device).push_back(row.name);
    if (row.name != "link") continue;
    EXPECT_EQ(row.spans.size(), 4u);  // there and back, of two
  }
  EXPECT_THAT(host, testing::IsSupersetOf({"inferences", "link", "stages"}));
  EXPECT_THAT(device, testing::IsSupersetOf({"NCE 0", "NCE 1"}));
  // Those of the first of each executor's nine slices; two, as the others of
  // seven stand still where an engine reads the result.
  std::vector<std::string> shaves;
  for (const std::string& name : device) {
    if (absl::StartsWith(name, "SHAVE")) shaves.push_back(name);
  }
  EXPECT_THAT(shaves, testing::ElementsAre("SHAVE 0", "SHAVE 1", "SHAVE 9",
                                           "SHAVE 10"));
}

// What stands between the marks of the page's data.
Json DataOf(const std::string& page) {
  const std::string mark = "id=\"data\"";
  const size_t begin = page.find('{', page.find(mark));
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST_F(ProgramPageTest, HasRooflineMemoryAndReasons) {
  const Json data = DataOf(ProgramPage("net <1>", program_, loop_));
  EXPECT_EQ(data["title"], "Estimate of net <1> on VPU");
  ASSERT_EQ(data["roofline"]["points"].size(), 1u);
  // 512 products over (256 + 512 + 2) operands of 2 bytes.
  EXPECT_DOUBLE_EQ(data["roofline"]["points"][0]["x"], 512.0 / 1540);
  EXPECT_DOUBLE_EQ(data["roofline"]["gmacs"], 179.2);
  EXPECT_EQ(data["map"]["rows"].size(), program_.memory().size());
  EXPECT_EQ(data["program"].size(), program_.stages().size());
  EXPECT_EQ(data["program"][1]["reason"], program_.stages()[1].reason);
  // The ReLU goes into the convolution.
  ASSERT_EQ(data["graph"].size(), 3u);
  EXPECT_EQ(data["graph"][2]["name"], "sigmoid");
  EXPECT_EQ(data["graph"][2]["inputs"], Json::array({1}));
}

}  // namespace
}  // namespace dovetail::cli
