#include "dovetail/backends/gpu/steps/convolution/table.h"

#include "dovetail/backends/gpu/steps/convolution/binary.h"
#include "dovetail/backends/gpu/steps/convolution/deformable.h"
#include "dovetail/backends/gpu/steps/convolution/depthwise.h"
#include "dovetail/backends/gpu/steps/convolution/direct/direct.h"
#include "dovetail/backends/gpu/steps/convolution/general.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ConvolutionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"BinaryConvolution", &EmitBinaryConvolution},
      {"DeformableConvolution", &EmitDeformableConvolution},
      {"GroupConvolution", &EmitDepthwiseConvolution},
      {"GroupConvolution", &EmitDirectConvolution},
      {"GroupConvolution", &EmitGeneralConvolution},
      {"Convolution", &EmitDirectConvolution},
      {"Convolution", &EmitGeneralConvolution},
      {"ConvolutionBackpropData", &EmitDirectConvolution},
      {"ConvolutionBackpropData", &EmitGeneralConvolution},
      {"GroupConvolutionBackpropData", &EmitDirectConvolution},
      {"GroupConvolutionBackpropData", &EmitGeneralConvolution},
  };
  return kRows;
}

}  // namespace dovetail::gpu
