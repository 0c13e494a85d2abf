#include <vector>

#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {

void BuildAspp(BlockBuilder& b, const Size& size) {
  const int64_t narrow = size.channels / 4, extent = size.extent;
  const auto relu = [&](Value value) { return b.Make("Relu", {value}); };
  const Value x = b.Input({1, size.channels, extent, extent});
  std::vector<Value> parts = {relu(Convolution(b, x, narrow))};
  for (const int64_t dilation : {6, 12, 18}) {
    parts.push_back(relu(
        Convolution(b, x, narrow, {.kernel = 3, .dilation = dilation})));
  }
  const Value mean = b.Reduce("ReduceMean", x, {2, 3});
  parts.push_back(Resize(b, relu(Convolution(b, mean, narrow)), extent, extent,
                         "linear_onnx"));
  const Value joined = relu(Convolution(b, b.Concat(parts, 1), narrow));
  const Value classes =
      Convolution(b, relu(Convolution(b, joined, narrow, {.kernel = 3})), 21);
  b.Output(Resize(b, classes, extent * 4, extent * 4, "linear_onnx"));
}

}  // namespace dovetail::blocks
