#include "dovetail/core/ops/convolution/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/convolution/binary_convolution.h"
#include "dovetail/core/ops/convolution/convolution.h"
#include "dovetail/core/ops/convolution/convolution_backprop_data.h"
#include "dovetail/core/ops/convolution/deformable_convolution.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Convolution", 1, "Convolution", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<ConvolutionAttributes>, &InferConvolution, kAnyNumeric},
    {"GroupConvolution", 1, "GroupConvolution", OpsetRange::Since(1), {2, 2},
     {1, 1}, &MakeAttributes<ConvolutionAttributes>, &InferGroupConvolution,
     kAnyNumeric},
    {"ConvolutionBackpropData", 1, "ConvolutionBackpropData",
     OpsetRange::Since(1), {2, 3}, {1, 1},
     &MakeAttributes<ConvolutionBackpropDataAttributes>,
     &InferConvolutionBackpropData, kAnyNumeric},
    {"GroupConvolutionBackpropData", 1, "GroupConvolutionBackpropData",
     OpsetRange::Since(1), {2, 3}, {1, 1},
     &MakeAttributes<ConvolutionBackpropDataAttributes>,
     &InferGroupConvolutionBackpropData, kAnyNumeric},
    {"BinaryConvolution", 1, "BinaryConvolution", OpsetRange::Since(1), {2, 2},
     {1, 1}, &MakeAttributes<BinaryConvolutionAttributes>,
     &InferBinaryConvolution, kNumericTypes},
    {"DeformableConvolution", 1, "DeformableConvolution",
     OpsetRange::Between(1, 7), {3, 3}, {1, 1},
     &MakeAttributes<DeformableConvolutionAttributes>,
     &InferDeformableConvolution, kAnyNumeric},
    {"DeformableConvolution", 8, "DeformableConvolution", OpsetRange::Since(8),
     {3, 4}, {1, 1}, &MakeAttributes<DeformableConvolution8Attributes>,
     &InferDeformableConvolution, kAnyNumeric},
};

}  // namespace

absl::Span<const OpInfo> ConvolutionOps() { return kOps; }

}  // namespace dovetail
