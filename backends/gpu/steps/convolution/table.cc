#include "dovetail/backends/gpu/steps/convolution/table.h"

#include "dovetail/backends/gpu/steps/convolution/depthwise.h"
#include "dovetail/backends/gpu/steps/convolution/direct.h"
#include "dovetail/backends/gpu/steps/convolution/general.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ConvolutionEmitters() {
  static constexpr EmitterRow kRows[] = {
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
