#include "dovetail/backends/cpu/steps/convolution/table.h"

#include "dovetail/backends/cpu/steps/common/integer_operands.h"
#include "dovetail/backends/cpu/steps/convolution/convolution.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ConvolutionEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Convert", &EmitPicture},
      {"Add", &EmitQuantizedPicture},
      {"FakeQuantize", &EmitQuantizedPicture},
      {"Multiply", &EmitQuantizedPicture},
      {"Subtract", &EmitQuantizedPicture},
      {"Convert", &EmitWidening},
      {"Convolution", &EmitConvolution},
      {"ConvolutionBackpropData", &EmitConvolution},
      {"GroupConvolution", &EmitConvolution},
      {"GroupConvolutionBackpropData", &EmitConvolution},
  };
  return kRows;
}

}  // namespace dovetail::cpu
