// Configurations, expressions and sources that nobody would write. Each is
// read, resolved and compiled, or is a Status.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "dovetail/backends/vpu/custom/source/counted_source.h"
#include "dovetail/backends/vpu/custom/resolve.h"
#include "dovetail/backends/vpu/custom/restriction.h"
#include "dovetail/backends/vpu/custom/shave/shave_program.h"
#include "dovetail/backends/vpu/custom/source/signature.h"
#include "dovetail/extensions/custom_kernels/shave/reader.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

constexpr char kFolder[] = "testing/shave_kernels";

// What means something to one of the readers.
constexpr const char* kPieces[] = {"<",          "/>",
                                   "\"",         "<Tensor/>",
                                   "<Where/>",   "&#0;",
                                   "&lt;",       "port-index=\"255\"",
                                   "size=\"0\"", "[",
                                   "kernel[9]",  "((((((((",
                                   "%0",         "/0",
                                   "-1",         "9223372036854775807",
                                   "B*F*Y*X",    "stage=\"1\"",
                                   "*X*X*X*X*X", "type=\"local_data\"",
                                   "\xff\xfe",   "dim=\"output,7\"",
                                   "I.Q",        "<CustomLayer"};

std::map<std::string, std::string> ReadFolder() {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()] = std::string(
        std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

std::string Mutated(std::string text, std::mt19937& random) {
  for (int change = static_cast<int>(random() % 4); change >= 0; --change) {
    const size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 5) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random() % 128);
        break;
      case 1:
        text.erase(at, random() % 40);
        break;
      case 2:
        text.insert(at, kPieces[random() % std::size(kPieces)]);
        break;
      case 3:
        text.insert(at,
                    text.substr(random() % (text.size() + 1), random() % 80));
        break;
      default:
        text.insert(at,
                    std::string(random() % 70, text.empty() ? '(' : text[at]));
    }
  }
  return text;
}

// An operation for most of the layers of the folder.
Model Operations() {
  return ModelOf(R"(
    %x = Parameter-0() {shape: [2,8,6,4], element_type: f16}
    %w = Constant-0() {value: f16[4,8,1,1] {1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8}}
    %l = Constant-0() {value: f16[] {-1}}
    %a = ReorgYolo-0(%x) {stride: 2}
    %b = GRN-0(%x) {bias: 1}
    %c = MVN-0(%x) {eps: 0.001, across_channels: false, normalize_variance: true}
    %d = ShuffleChannels-0(%x) {axis: 1, group: 2}
    %e = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}
    %f = FakeQuantize-0(%x, %l, %l, %l, %l) {levels: 2, auto_broadcast: numpy}
    %0 = Result-0(%a) {}
    %1 = Result-0(%b) {}
    %2 = Result-0(%c) {}
    %3 = Result-0(%d) {}
    %4 = Result-0(%e) {}
    %5 = Result-0(%f) {}
  )");
}

// How many layers of the text could be launched for a node of the model; errors
// are of one kind.
int Resolvable(const std::string& xml,
               const std::map<std::string, std::string>& sources,
               const Model& model) {
  const auto layers = ParseShaveLayers(xml, "hostile.xml", sources);
  if (!layers.ok()) {
    EXPECT_EQ(layers.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(layers.status().message(), HasSubstr("hostile.xml"));
    return 0;
  }
  int count = 0;
  for (const ShaveLayer& layer : *layers) {
    for (const auto& node : model.nodes()) {
      if (!MeetsRestrictions(layer.where_parameters, *node) ||
          node->op().type != layer.name) {
        continue;
      }
      for (const ShaveKernel& kernel : layer.kernels) {
        const auto signature =
            FindSignature(kernel.sources[0].text, kernel.entry);
        if (!signature.has_value()) continue;
        const auto resolved = Resolve(kernel, signature->names, *node);
        if (resolved.ok()) ++count;
        if (resolved.ok()) continue;
        EXPECT_EQ(resolved.status().code(), absl::StatusCode::kInvalidArgument);
        EXPECT_THAT(resolved.status().message(), HasSubstr("hostile.xml:"));
      }
    }
  }
  return count;
}

TEST(HostileTest, Configurations) {
  const std::map<std::string, std::string> files = ReadFolder();
  const Model model = Operations();
  const std::string& valid = files.at("layers.xml");
  ASSERT_EQ(Resolvable(valid, files, model), 7);
  std::mt19937 random(21);
  int resolvable = 0;
  for (int i = 0; i < 1500; ++i) {
    resolvable += Resolvable(Mutated(valid, random), files, model);
  }
  EXPECT_GT(resolvable, 0);
}

// Numbers in the place of all sizes of one kernel.
TEST(HostileTest, Expressions) {
  const std::map<std::string, std::string> files = ReadFolder();
  const Model model = Operations();
  std::mt19937 random(22);
  for (int i = 0; i < 3000; ++i) {
    const std::string size = Mutated("((X+7)/8)*8", random);
    const bool is_text = std::all_of(size.begin(), size.end(), [](char c) {
      return absl::ascii_isprint(c) && c != '"' && c != '<' && c != '&';
    });
    if (!is_text) continue;
    const std::string xml = R"(<CustomLayer name="GRN" type="MVCL" version="1">
      <Kernel entry="grn">
        <Source filename="grn.cl"/>
        <Parameters>
          <Tensor arg-name="src_data" type="input" port-index="0"/>
          <Tensor arg-name="dst_data" type="output" port-index="0"/>
          <Data arg-name="src" type="local_data" size=")" +
                            size + R"(" dim="input,0"/>
          <Data arg-name="dst" type="local_data" size="8" dim="input,0"/>
          <Scalar arg-name="channels" type="int" source="1"/>
          <Scalar arg-name="bias" type="float" source="bias"/>
        </Parameters>
        <WorkSizes dim="input,0" global=")" +
                            size + R"(" local="1"/>
      </Kernel>
    </CustomLayer>)";
    Resolvable(xml, files, model);
  }
}

// Sources are rewritten in any case, line by line.
TEST(HostileTest, Sources) {
  std::mt19937 random(23);
  for (const auto& [name, text] : ReadFolder()) {
    for (int i = 0; i < 200; ++i) {
      const std::string source = Mutated(text, random);
      const std::string counted = CountedSource(source);
      EXPECT_EQ(std::count(counted.begin(), counted.end(), '\n'),
                std::count(source.begin(), source.end(), '\n'));
      KernelNames(source);
    }
  }
}

// The driver's compiler takes them or says what is wrong.
TEST(HostileTest, Programs) {
  const std::string valid = ReadFolder().at("reorg.cl");
  std::mt19937 random(24);
  for (int i = 0; i < 8; ++i) {
    ShaveKernel kernel;
    kernel.entry = "reorg";
    kernel.sources = {{"reorg.cl", Mutated(valid, random), {}}};
    const auto program = ShaveProgram::Build(kernel);
    if (absl::IsUnavailable(program.status())) {
      GTEST_SKIP() << program.status().message();
    }
    if (program.ok()) continue;
    EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_FALSE(program.status().message().empty());
  }
}

}  // namespace
}  // namespace dovetail::vpu
