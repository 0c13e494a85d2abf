#include "dovetail/transformations/decompose/primitives.h"

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace dovetail {
namespace {

// With what a model and its control flow consist of, which no device computes.
constexpr absl::string_view kPrimitives = R"(
    Constant-0 Parameter-0 Result-0 If-8 Loop-5 TensorIterator-0
    Assign-6 ReadValue-6 StringTensorPack-15 StringTensorUnpack-15

    Abs-0 Acos-0 Acosh-3 Asin-0 Asinh-3 Atan-0 Atanh-3 Cos-0 Erf-0 ErfInv-17
    Exp-0 Floor-0 Log-0 Round-5 Sin-0 Sinh-0 Sqrt-0 Tanh-0
    Add-1 Divide-1 Maximum-1 Minimum-1 Mod-1 Multiply-1 Power-1 Subtract-1
    Equal-1 Less-1 LessEqual-1 LogicalAnd-1 LogicalNot-1 LogicalOr-1
    BitwiseAnd-13 BitwiseLeftShift-15 BitwiseOr-13 BitwiseRightShift-15
    BitwiseXor-13 Convert-0 Select-1

    ReduceMax-1 ReduceMin-1 ReduceProd-1 ReduceSum-1 CumSum-0
    MatMul-0 GroupConvolution-1 GroupConvolutionBackpropData-1
    BinaryConvolution-1 Inverse-14 AvgPool-16 MaxPool-14 AdaptiveMaxPool-8

    Broadcast-3 Concat-0 Gather-8 NonZero-3 Pad-12 Range-4 Reshape-1
    ScatterElementsUpdate-12 ScatterNDUpdate-15 ShapeOf-3 Slice-8
    SparseFillEmptyRows-16 Squeeze-15 TopK-11 Transpose-1 Unique-10

    CTCLoss-4 Multinomial-13 RandomUniform-8
    DetectionOutput-8 ExperimentalDetectronDetectionOutput-6
    ExperimentalDetectronGenerateProposalsSingleImage-6 GenerateProposals-9
    MatrixNms-8 MulticlassNms-9 NMSRotated-13 NonMaxSuppression-9 PriorBox-8
    PriorBoxClustered-0 Proposal-4 ROIAlign-9 ROIAlignRotated-15 ROIPooling-0
)";

}  // namespace

const std::vector<std::string>& PrimitiveOperations() {
  static const auto* operations = new std::vector<std::string>(absl::StrSplit(
      kPrimitives, absl::ByAnyChar(" \n"), absl::SkipEmpty()));
  return *operations;
}

}  // namespace dovetail
