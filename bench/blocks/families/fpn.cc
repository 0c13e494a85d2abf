#include <vector>

#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {

void BuildFpn(BlockBuilder& b, const Size& size) {
  const char* const mode = size.variant % 2 == 0 ? "nearest" : "linear_onnx";
  std::vector<Value> laterals;
  int64_t extent = size.extent;
  for (int level = 0; level < 3; ++level) {
    const Value x = b.Input({1, size.channels << level, extent, extent});
    laterals.push_back(Convolution(b, x, size.channels));
    extent = (extent + 1) / 2;
  }
  Value above;
  for (int level = 2; level >= 0; --level) {
    Value x = laterals[level];
    if (above) {
      x = b.Add(x, Resize(b, above, Extent(x, 2), Extent(x, 3), mode));
    }
    above = x;
    b.Output(Convolution(b, x, size.channels, {.kernel = 3}));
  }
}

}  // namespace dovetail::blocks
