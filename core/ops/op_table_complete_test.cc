// Whether the table has all operations of opset1 to opset17, and nothing else.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dovetail/core/ops/op_table.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// IR type, version, the opsets that have this version, numbers of inputs and of
// outputs ("2-4": from 2 to 4, "1+": 1 or more).
constexpr char kRows[] = R"(
Abs 0 1-17 1 1
Acos 0 1-17 1 1
Acosh 3 4-17 1 1
AdaptiveAvgPool 8 8-17 2 1
AdaptiveMaxPool 8 8-17 2 2
Add 1 1-17 2 1
Asin 0 1-17 1 1
Asinh 3 4-17 1 1
Assign 3 3-5 1 1
Assign 6 6-17 1 1
Atan 0 1-17 1 1
Atanh 3 4-17 1 1
AvgPool 1 1-13 1 1
AvgPool 14 14-15 1 1
AvgPool 16 16-17 1 1
BatchNormInference 0 1-4 5 1
BatchNormInference 5 5-17 5 1
BatchToSpace 1 2-17 4 1
BGRtoNV12 17 17 1 1-2
BinaryConvolution 1 1-17 2 1
BitwiseAnd 13 13-17 2 1
BitwiseLeftShift 15 15-17 2 1
BitwiseNot 13 13-17 1 1
BitwiseOr 13 13-17 2 1
BitwiseRightShift 15 15-17 2 1
BitwiseXor 13 13-17 2 1
Broadcast 1 1-2 2-3 1
Broadcast 3 3-17 2-3 1
Bucketize 3 3-17 2 1
Ceiling 0 1-17 1 1
Clamp 0 1-17 1 1
Col2Im 15 15-17 3 1
Concat 0 1-17 1+ 1
Const 0 1-17 0 1
Convert 0 1-17 1 1
ConvertLike 1 1-17 2 1
ConvertPromoteTypes 14 14-17 2 2
Convolution 1 1-17 2 1
ConvolutionBackpropData 1 1-17 2-3 1
Cos 0 1-17 1 1
Cosh 0 1-17 1 1
CTCGreedyDecoder 0 1-17 2 1
CTCGreedyDecoderSeqLen 6 6-17 2-3 2
CTCLoss 4 4-17 4-5 1
CumSum 0 3-17 1-2 1
DeformableConvolution 1 1-7 3 1
DeformableConvolution 8 8-17 3-4 1
DeformablePSROIPooling 1 1-17 2-3 1
DepthToSpace 0 1-17 1 1
DetectionOutput 0 1-7 3-5 1
DetectionOutput 8 8-17 3-5 1
DFT 7 7-17 2-3 1
Divide 1 1-17 2 1
Einsum 7 7-17 1+ 1
Elu 0 1-17 1 1
EmbeddingBagOffsets 15 15-17 3-5 1
EmbeddingBagOffsetsSum 3 3-17 3-5 1
EmbeddingBagPacked 15 15-17 2-3 1
EmbeddingBagPackedSum 3 3-17 2-3 1
EmbeddingSegmentsSum 3 3-17 4-6 1
Equal 1 1-17 2 1
Erf 0 1-17 1 1
ErfInv 17 17 1 1
Exp 0 1-17 1 1
ExperimentalDetectronDetectionOutput 6 6-17 4 3
ExperimentalDetectronGenerateProposalsSingleImage 6 6-17 4 2
ExperimentalDetectronPriorGridGenerator 6 6-17 3 1
ExperimentalDetectronROIFeatureExtractor 6 6-17 2+ 2
ExperimentalDetectronTopKROIs 6 6-17 2 1
ExtractImagePatches 3 3-17 1 1
Eye 9 9-17 3-4 1
FakeConvert 13 13-17 2-3 1
FakeQuantize 0 1-17 5 1
Floor 0 1-17 1 1
FloorMod 1 1-17 2 1
Gather 1 1-6 3 1
Gather 7 7 3 1
Gather 8 8-17 3 1
GatherElements 6 6-17 2 1
GatherND 5 5-7 2 1
GatherND 8 8-17 2 1
GatherTree 1 1-17 4 1
Gelu 0 2-6 1 1
Gelu 7 7-17 1 1
GenerateProposals 9 9-17 4 3
Greater 1 1-17 2 1
GreaterEqual 1 1-17 2 1
GridSample 9 9-17 2 1
GRN 0 1-17 1 1
GroupConvolution 1 1-17 2 1
GroupConvolutionBackpropData 1 1-17 2-3 1
GroupedMatMul 17 17 2-4 1
GroupNormalization 12 12-17 3 1
GRUCell 3 3-17 4-5 1
GRUSequence 5 5-17 6 2
HardSigmoid 0 1-17 3 1
HSigmoid 5 5-17 1 1
HSwish 4 4-17 1 1
I420toBGR 8 8-17 1-3 1
I420toRGB 8 8-17 1-3 1
Identity 16 16-17 1 1
IDFT 7 7-17 2-3 1
If 8 8-17 1+ 1+
Interpolate 0 1-3 2 1
Interpolate 4 4-10 3-4 1
Interpolate 11 11-17 2-3 1
Inverse 14 14-17 1 1
IRDFT 9 9-17 2-3 1
IsFinite 10 10-17 1 1
IsInf 10 10-17 1 1
IsNaN 10 10-17 1 1
ISTFT 16 16-17 4-5 1
Less 1 1-17 2 1
LessEqual 1 1-17 2 1
Log 0 1-17 1 1
LogicalAnd 1 1-17 2 1
LogicalNot 1 1-17 1 1
LogicalOr 1 1-17 2 1
LogicalXor 1 1-17 2 1
LogSoftmax 5 5-17 1 1
Loop 5 5-17 2+ 1+
LRN 0 1-17 2 1
LSTMCell 0 1-3 5-7 2
LSTMCell 4 4-17 5-6 2
LSTMSequence 0 1-3 7-8 3
LSTMSequence 5 5-17 7 3
MatMul 0 1-17 2 1
MatrixNms 8 8-17 2 3
Maximum 1 1-17 2 1
MaxPool 1 1-7 1 1
MaxPool 8 8-13 1 2
MaxPool 14 14-17 1 2
Minimum 1 1-17 2 1
Mish 4 4-17 1 1
Mod 1 1-17 2 1
MulticlassNms 8 8 2 3
MulticlassNms 9 9-17 2-3 3
Multinomial 13 13-17 2 1
Multiply 1 1-17 2 1
MVN 0 2-5 1 1
MVN 6 6-17 2 1
Negative 0 1-17 1 1
NMSRotated 13 13-17 5 3
NonMaxSuppression 1 1-2 2-5 1
NonMaxSuppression 3 3 2-5 1
NonMaxSuppression 4 4 2-5 1
NonMaxSuppression 5 5-8 2-6 3
NonMaxSuppression 9 9-17 2-6 3
NonZero 3 3-17 1 1
NormalizeL2 0 1-17 2 1
NotEqual 1 1-17 2 1
NV12toBGR 8 8-17 1-2 1
NV12toRGB 8 8-17 1-2 1
OneHot 1 1-15 4 1
OneHot 16 16-17 4 1
Pad 1 1-11 3-4 1
Pad 12 12-17 3-4 1
Parameter 0 1-17 0 1
Power 1 1-17 2 1
PReLU 0 1-17 2 1
PriorBox 0 1-7 2 1
PriorBox 8 8-17 2 1
PriorBoxClustered 0 1-17 2 1
Proposal 0 1-3 3 1
Proposal 4 4-17 3 2
PSROIPooling 0 1-17 2 1
RandomUniform 8 8-17 3 1
Range 0 1-3 3 1
Range 4 4-17 3 1
RDFT 9 9-17 2-3 1
ReadValue 3 3-5 1 1
ReadValue 6 6-17 0-1 1
ReduceL1 4 4-17 2 1
ReduceL2 4 4-17 2 1
ReduceLogicalAnd 1 1-17 2 1
ReduceLogicalOr 1 1-17 2 1
ReduceMax 1 1-17 2 1
ReduceMean 1 1-17 2 1
ReduceMin 1 1-17 2 1
ReduceProd 1 1-17 2 1
ReduceSum 1 1-17 2 1
RegionYolo 0 1-17 1 1
ReLU 0 1-17 1 1
ReorgYolo 0 2-17 1 1
Reshape 1 1-17 2 1
Result 0 1-17 1 0
Reverse 1 1 2 1
ReverseSequence 0 1-17 2 1
RGBtoNV12 17 17 1 1-2
RNNCell 0 1,3-17 4-5 1
RNNSequence 5 5-17 6 2
ROIAlign 3 3-8 3 1
ROIAlign 9 9-17 3 1
ROIAlignRotated 15 15-17 3 1
ROIPooling 0 2-17 2 1
Roll 7 7-17 3 1
Round 5 5-17 1 1
ScaledDotProductAttention 13 13-17 3-6 1
ScatterElementsUpdate 3 3-11 4 1
ScatterElementsUpdate 12 12-17 4 1
ScatterNDUpdate 3 4-14 3 1
ScatterNDUpdate 15 15-17 3 1
ScatterUpdate 3 3-17 4 1
SearchSorted 15 15-17 2 1
SegmentMax 16 16-17 2-3 1
Select 1 1-17 3 1
Selu 0 1-17 3 1
ShapeOf 0 1-2 1 1
ShapeOf 3 3-17 1 1
ShuffleChannels 0 1,3-17 1 1
Sigmoid 0 1-17 1 1
Sign 0 1-17 1 1
Sin 0 1-17 1 1
Sinh 0 1-17 1 1
Slice 8 8-17 4-5 1
SliceScatter 15 15-17 5-6 1
SoftMax 1 1-7 1 1
SoftMax 8 8-17 1 1
SoftPlus 4 4-17 1 1
SoftSign 9 9-17 1 1
SpaceToBatch 1 2-17 4 1
SpaceToDepth 0 1-17 1 1
SparseFillEmptyRows 16 16-17 4 3
Split 1 1-17 2 1+
Sqrt 0 1-17 1 1
SquaredDifference 0 1-17 2 1
Squeeze 0 1-14 1-2 1
Squeeze 15 15-17 1-2 1
STFT 15 15-17 4 1
StridedSlice 1 1-17 3-4 1
StringTensorPack 15 15-17 3 1
StringTensorUnpack 15 15-17 1 3
Subtract 1 1-17 2 1
Swish 4 4-17 1-2 1
Tan 0 1-17 1 1
Tanh 0 1-17 1 1
TensorIterator 0 1-17 1+ 1+
Tile 0 1-17 2 1
TopK 1 1-2 2 2
TopK 3 3-10 2 2
TopK 11 11-17 2 2
Transpose 1 1-17 2 1
Unique 10 10-17 1-2 4
Unsqueeze 0 1-17 2 1
VariadicSplit 1 1-17 3 1+
Xor 0 1 2 1
)";

// Operations in each opset from opset1 on. Opset17 is not closed: it counts as
// opset16 with what has been added.
constexpr int kCounts[] = {110, 112, 127, 137, 145, 152, 156, 167, 173,
                           177, 177, 178, 186, 188, 199, 203, 207};

struct ExpectedRow {
  std::string ir_type;
  int version = 0;
  std::set<int> opsets;
  Arity inputs, outputs;
};

int Number(absl::string_view text) {
  int number = -1;
  EXPECT_TRUE(absl::SimpleAtoi(text, &number)) << text;
  return number;
}

// "3", "2-4" or "1+"
Arity Range(absl::string_view text) {
  if (text.back() == '+') {
    return {Number(text.substr(0, text.size() - 1)), Arity::kAny};
  }
  const std::vector<std::string> ends = absl::StrSplit(text, '-');
  return {Number(ends.front()), Number(ends.back())};
}

const std::vector<ExpectedRow>& ExpectedRows() {
  static const auto* const rows = [] {
    auto* made = new std::vector<ExpectedRow>;
    for (absl::string_view line :
         absl::StrSplit(kRows, '\n', absl::SkipEmpty())) {
      const std::vector<std::string> fields = absl::StrSplit(line, ' ');
      ExpectedRow row = {fields.at(0), Number(fields.at(1)), {},
                         Range(fields.at(3)), Range(fields.at(4))};
      for (absl::string_view run : absl::StrSplit(fields.at(2), ',')) {
        const Arity ends = Range(run);
        for (int i = ends.min; i <= ends.max; ++i) row.opsets.insert(i);
      }
      made->push_back(std::move(row));
    }
    return made;
  }();
  return *rows;
}

const OpInfo* Find(const std::string& ir_type, int version) {
  for (const OpInfo* row : AllOps()) {
    if (row->ir_type == ir_type && row->version == version) return row;
  }
  return nullptr;
}

TEST(CompleteOpTableTest, HasEveryVersionOfEveryOperation) {
  ASSERT_EQ(ExpectedRows().size(), 246u);
  for (const ExpectedRow& expected : ExpectedRows()) {
    const OpInfo* row = Find(expected.ir_type, expected.version);
    const std::string name =
        absl::StrCat(expected.ir_type, "-", expected.version);
    ASSERT_NE(row, nullptr) << name;
    for (int opset = 0; opset < 32; ++opset) {
      EXPECT_EQ(row->opsets.Contains(opset), expected.opsets.count(opset) == 1)
          << name << " in opset" << opset;
    }
    EXPECT_EQ(row->inputs.min, expected.inputs.min) << name;
    EXPECT_EQ(row->inputs.max, expected.inputs.max) << name;
    EXPECT_EQ(row->outputs.min, expected.outputs.min) << name;
    EXPECT_EQ(row->outputs.max, expected.outputs.max) << name;
    EXPECT_NE(row->infer, nullptr) << name;
  }
}

TEST(CompleteOpTableTest, HasNothingElse) {
  std::set<std::pair<std::string, int>> expected;
  for (const ExpectedRow& row : ExpectedRows()) {
    expected.emplace(row.ir_type, row.version);
  }
  for (const OpInfo* row : AllOps()) {
    const std::string ir_type(row->ir_type.data(), row->ir_type.size());
    EXPECT_EQ(expected.count({ir_type, row->version}), 1u) << row->ToString();
  }
  EXPECT_EQ(AllOps().size(), expected.size());
}

TEST(CompleteOpTableTest, EveryLayerOfEveryOpsetMeansTheRightVersion) {
  std::map<std::string, std::map<int, int>> versions;  // IR type, opset
  for (const ExpectedRow& row : ExpectedRows()) {
    for (int opset : row.opsets) versions[row.ir_type][opset] = row.version;
  }
  std::vector<int> counts(OpsetRange::kLatest, 0);
  for (const auto& [ir_type, by_opset] : versions) {
    for (int opset = 1; opset <= OpsetRange::kLatest; ++opset) {
      const auto found = FindOpInOpset(ir_type, opset);
      const auto expected = by_opset.find(opset);
      ASSERT_EQ(found.ok(), expected != by_opset.end())
          << ir_type << " in opset" << opset << ": " << found.status();
      if (!found.ok()) continue;
      EXPECT_EQ((*found)->ir_type, ir_type);
      EXPECT_EQ((*found)->version, expected->second)
          << ir_type << " in opset" << opset;
      ++counts[opset - 1];
    }
  }
  EXPECT_TRUE(std::equal(counts.begin(), counts.end(), std::begin(kCounts),
                         std::end(kCounts)))
      << testing::PrintToString(counts);
}

}  // namespace
}  // namespace dovetail
