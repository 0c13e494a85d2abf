// CPU_TUNE as users have it. What it chooses depends on the machine: here only
// that it is followed, kept by exports, and changes no results.
#include <memory>
#include <string>

#include "dovetail/backends/cpu/cpu_executable.h"
#include "dovetail/backends/cpu/cpu_plugin.h"
#include "dovetail/backends/cpu/testing/network.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// Convolutions that several kernels take, and a variable.
std::string Text(const std::string& shape) {
  return R"(
  %x = Parameter-0() {shape: )" + shape + R"(, element_type: f32}
  %w1 = Parameter-0() {shape: [16,16,3,3], element_type: f32}  # constant_small
  %c1 = Convolution-1(%x, %w1) {strides: [1,1], pads_begin: [1,1], pads_end: [1,1], dilations: [1,1]}  # one
  %w2 = Parameter-0() {shape: [16,1,1,5,5], element_type: f32}  # constant_small
  %c2 = GroupConvolution-1(%c1, %w2) {strides: [1,1], pads_begin: [2,2], pads_end: [2,2], dilations: [1,1]}  # two
  %state = ReadValue-3(%c2) {variable_id: "seen"}
  %sum = Add-1(%c2, %state) {}
  %assign = Assign-3(%sum) {variable_id: "seen"}
  %o = Result-0(%sum) {}
)";
}
constexpr char kStatic[] = "[1,16,20,20]";
const std::vector<Shape> kShapes = {{1, 16, 20, 20}};

const CpuExecutable& CpuOf(const Executable& executable) {
  return static_cast<const CpuExecutable&>(executable);
}

std::string Wrong(const Network& network,
                  const std::shared_ptr<const Executable>& executable) {
  auto request = Request::Create(executable);
  if (!request.ok()) return std::string(request.status().message());
  VariableValues variables;
  return network.Check(**request, network.Inputs(kShapes), 1e-4, &variables);
}

TEST(TuningTest, ResultsAreThoseOfTheModel) {
  const Network network(Text(kStatic), {{"CPU_TUNE", "YES"}});
  ASSERT_NE(network.executable(), nullptr);
  EXPECT_EQ(Wrong(network, network.executable()), "");
}

// No inference waits for trials.
TEST(TuningTest, DynamicShapesAreNotTuned) {
  const Network network(Text("[?,16,?,?]"), {{"CPU_TUNE", "YES"}});
  ASSERT_NE(network.executable(), nullptr);
  EXPECT_EQ(Wrong(network, network.executable()), "");
  EXPECT_TRUE(CpuOf(*network.executable()).choices().empty());
}

TEST(TuningTest, NothingIsTriedUnlessAsked) {
  const Network network(Text(kStatic));
  ASSERT_NE(network.executable(), nullptr);
  EXPECT_TRUE(CpuOf(*network.executable()).choices().empty());
}

TEST(TuningTest, ExportsKeepWhatWasChosen) {
  const Network network(Text(kStatic), {{"CPU_TUNE", "YES"}});
  ASSERT_NE(network.executable(), nullptr);
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  ASSERT_TRUE(CpuOf(*network.executable()).Export(writer).ok());
  ASSERT_TRUE(writer.Finish().ok());
  const auto reader = BlobReader::FromBytes(bytes);
  ASSERT_TRUE(reader.ok());
  const std::unique_ptr<Plugin> plugin = MakeCpuPlugin().value();
  auto imported = plugin->Import(
      StandaloneCall(network.executable()->config()).Importing(*reader));
  ASSERT_TRUE(imported.ok()) << imported.status();
  const std::shared_ptr<const Executable> again = *std::move(imported);
  EXPECT_EQ(CpuOf(*again).choices().kernels(),
            CpuOf(*network.executable()).choices().kernels());
  EXPECT_EQ(Wrong(network, again), "");
}

}  // namespace
}  // namespace dovetail::cpu
