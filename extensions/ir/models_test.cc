// Every IR of the shared folder: published models, the files of other readers'
// tests, and a model for each operation. Each is read, printed, written and
// read again, or refused for the right reason.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/extensions/ir/reader.h"
#include "dovetail/extensions/ir/testing/ir_text.h"
#include "dovetail/extensions/ir/writer.h"
#include "dovetail/testing/shared_files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

// What the message has to say, by the path of the file without its ending.
using Refusals = std::map<std::string, std::vector<std::string>>;

constexpr char kFrontEnd[] = "openvino/embedded-ir-xml/frontends-ir/";
constexpr char kOlder[] = "openvino/embedded-ir-xml/ngraph_reader/";

// Files that are wrong, most of them so on purpose.
Refusals WrongFiles() {
  const std::string partial = absl::StrCat(
      kFrontEnd, "partial_shape_deserialization__shape_with_boundaries_test_");
  const std::string basic = absl::StrCat(kFrontEnd, "frontend_test_basic__");
  return {
      {basic + "edge_has_wrong_port_id_12.v11",
       {"layer 'output'", "input port 10", "its ports are 0"}},
      {basic + "model_with_wrong_dimensions_10.v11",
       {"layer 'input'", "<dim>", "dimension -2 is negative"}},
      {basic + "wrong_opset_15.v11",
       {"layer 'input'", "'version'", "'wrongOpset'"}},
      {partial + "dynamic_dim_negative_4.v11",
       {"layer 'in1'", "'shape'", "\"...\" is no dimension"}},
      {partial + "dynamic_rank_negative_3.v11",
       {"layer 'in1'", "'shape'", "\"...\" is no dimension"}},
      {partial + "wrong_dim_5.v11",
       {"layer 'in1'", "'shape'", "\"1s\" is no dimension"}},
      {absl::StrCat(kFrontEnd,
                    "rt_info_deserialization__names_collision_v10_1.v10"),
       {"layer 'input_tensor'", "names an output of layer 'in1'"}},
      {absl::StrCat(kOlder, "abs_tests__ReadAbsFromCustomOpsetNetwork_0.v10"),
       {"layer 'Abs'", "'version'", "'experimental'"}},
      {absl::StrCat(
           kOlder,
           "constant_tests__ReadConstantNetworkWithNegativeDimension_1.v10"),
       {"layer 'constant'", "<dim>", "dimension -3 is negative"}},
      {absl::StrCat(
           kOlder,
           "deconvolution_tests__DISABLED_ReadDeconvolution2DNetwork_2.v10"),
       {"layer 'deconv1'", "<port>", "'precision' is missing"}},
      {absl::StrCat(
           kOlder,
           "detection_output_tests__DISABLED_ReadDetectionOutputNetwork_0.v10"),
       {"layer 'in2'", "element <data> is missing"}},
      {absl::StrCat(kOlder, "fusion_tests__DISABLED_MatMulBiasFusion_6.v10"),
       {"layer 'data'", "element <data> is missing"}},
      {absl::StrCat(kOlder,
                    "shape_of_tests__DISABLED_ReadShapeOfNetwork_0.v10"),
       {"layer 'activation2'", "<port>", "'precision' is missing"}},
      {absl::StrCat(kOlder,
                    "strided_slice_tests__DISABLED_"
                    "ConvertStridedSliceToCropMultipleMasks_2_4.v10"),
       {"layer 'data'", "<port>", "'precision' is missing"}},
      {absl::StrCat(kOlder, "topK_tests__DISABLED_ReadTopKNetwork_0.v10"),
       {"layer 'mul_values'", "<layer>", "'version' is missing"}},
  };
}

// Files whose weights were left behind, and which mean nothing with zeros
// instead of them.
Refusals FilesThatNeedTheirWeights() {
  const std::vector<std::string> axes = {"layer 'dft'", "axis 0 twice"};
  return {
      {absl::StrCat(
           kFrontEnd,
           "frontend_test_basic__model_with_weights_reading_from_disk_4.v11"),
       {"layer 'Transpose0321'", "the order", "[0,0,0,0]"}},
      {absl::StrCat(kOlder, "add_tests__ReadAddBcastNetwork_0.v10"),
       {"layer 'EltwiseReshapeNormalization'", "the new shape", "has 0 at 1"}},
      {absl::StrCat(kOlder, "broadcast_tests__ConvertBroadcastToTiles1_0.v10"),
       {"layer 'broadcast_1'", "target shape [0,0,0,0]"}},
      {absl::StrCat(kOlder, "broadcast_tests__ConvertBroadcastToTiles3_4.v10"),
       {"layer 'broadcast_1'", "target shape [0,0,0,0]"}},
      {absl::StrCat(kOlder, "broadcast_tests__ConvertBroadcastToTiles4_6.v10"),
       {"layer 'broadcast_1'", "target shape [0,0,0,0]"}},
      {absl::StrCat(kOlder, "dft__ReadDFTNetwork3_4.v10"), axes},
      {absl::StrCat(kOlder, "dft__ReadDFTNetwork_0.v10"), axes},
      {absl::StrCat(kOlder, "idft_tests__ReadIDFTNetwork3_4.v10"), axes},
      {absl::StrCat(kOlder, "idft_tests__ReadIDFTNetwork_0.v10"), axes},
      {absl::StrCat(
           kOlder,
           "prior_box_tests__DISABLED_ReadPriorBoxClusteredNetwork_4.v10"),
       {"layer 'ss1'", "the strides", "has 0 at 0"}},
      {absl::StrCat(
           kFrontEnd,
           "tensor_iterator_deserialization__"
           "tensor_iterator_resnet_opset4_5.v10"),
       {"layer '471/TensorIterator'", "<body>", "layer '471/input_squeeze'",
        "the new shape [1,1]"}},
      {absl::StrCat(kOlder, "ti__ReadTensorIteratorNetwork_opset1_0.v10"),
       {"layer 'TensorIterator'", "<body>", "layer 'Data_/InputSqueeze'",
        "the new shape [1,1]"}},
      {absl::StrCat(kOlder, "split_tests__ReadVariadicSplitNetwork_4.v10"),
       {"layer 'split'", "the lengths [0,0]"}},
  };
}

std::vector<std::filesystem::path> ModelFiles(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The number in an attribute of the element, 0 without one.
int64_t NumberIn(absl::string_view element, absl::string_view name) {
  const std::string start = absl::StrCat(" ", name, "=\"");
  const size_t begin = element.find(start);
  if (begin == absl::string_view::npos) return 0;
  const absl::string_view text = element.substr(begin + start.size());
  int64_t value = 0;
  return absl::SimpleAtoi(text.substr(0, text.find('"')), &value) ? value : 0;
}

// Where the last thing ends that the XML reads from the weights.
int64_t WeightsNeeded(absl::string_view xml) {
  int64_t needed = 0;
  for (const absl::string_view element : absl::StrSplit(xml, '<')) {
    needed = std::max(needed,
                      NumberIn(element, "offset") + NumberIn(element, "size"));
  }
  return needed;
}

// With zeros for weights when there are none.
absl::StatusOr<std::unique_ptr<Model>> Read(const std::filesystem::path& xml) {
  auto bin = xml;
  if (std::filesystem::exists(bin.replace_extension(".bin"))) {
    return ReadIr(xml.string());
  }
  std::ifstream file(xml, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  const size_t needed = static_cast<size_t>(WeightsNeeded(text.str()));
  return ReadIrFromMemory(text.str(), ir::BytesOf(std::string(needed, '\0')));
}

// Where a model of few constants differs from what its text says; else OK.
absl::Status CompareWithText(const Model& model) {
  const std::string text = model.ToString();
  if (absl::StrContains(text, "…")) return absl::OkStatus();
  const auto parsed = ParseModelText(text);
  if (!parsed.ok()) return parsed.status();
  return Model::Compare(model, *parsed);
}

absl::Status CompareAfterRoundTrip(const Model& model) {
  const auto files = WriteIrToMemory(model);
  if (!files.ok()) return files.status();
  const auto again =
      ReadIrFromMemory(files->xml, ir::BytesOf(files->weights));
  if (!again.ok()) return again.status();
  return Model::Compare(model, **again, true);
}

void ExpectUnderstood(const Model& model) {
  const absl::Status valid = model.Verify();
  EXPECT_TRUE(valid.ok()) << valid;
  const absl::Status from_text = CompareWithText(model);
  EXPECT_TRUE(from_text.ok()) << from_text;
  const absl::Status written = CompareAfterRoundTrip(model);
  EXPECT_TRUE(written.ok()) << written;
}

// Each file of the folder is refused as listed, or understood.
void ExpectFolder(const std::string& folder, const Refusals& refusals) {
  const auto files = ModelFiles(folder);
  EXPECT_FALSE(files.empty()) << folder;
  size_t refused = 0;
  for (const auto& file : files) {
    SCOPED_TRACE(file.string());
    const auto name =
        std::filesystem::relative(file, folder).replace_extension().string();
    const auto model = Read(file);
    if (const auto refusal = refusals.find(name); refusal != refusals.end()) {
      ++refused;
      ASSERT_FALSE(model.ok());
      for (const std::string& part : refusal->second) {
        EXPECT_THAT(std::string(model.status().message()), HasSubstr(part));
      }
      continue;
    }
    EXPECT_TRUE(model.ok()) << model.status();
    if (model.ok()) ExpectUnderstood(**model);
  }
  EXPECT_EQ(refused, refusals.size()) << "some files are gone";
}

TEST(ModelsTest, PublishedModelsAndTestsOfOtherReaders) {
  DOVETAIL_SHARED_PATH_OR_SKIP(models, "models");
  Refusals refusals = WrongFiles();
  refusals.merge(FilesThatNeedTheirWeights());
  ExpectFolder(models, refusals);
}

TEST(ModelsTest, EveryOperation) {
  DOVETAIL_SHARED_PATH_OR_SKIP(models, "oracle/ops");
  ExpectFolder(models, {});
}

TEST(ModelsTest, OperationsAsConvertedFromOnnx) {
  DOVETAIL_SHARED_PATH_OR_SKIP(models, "oracle/onnx");
  ExpectFolder(models, {});
}

}  // namespace
}  // namespace dovetail
