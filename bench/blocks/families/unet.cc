#include <vector>

#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

class Unet {
 public:
  Unet(BlockBuilder& b, const Size& size)
      : b_(b), is_grouped_(size.variant % 2 == 1) {}

  Value Run(Value x, int64_t channels, int64_t levels) {
    std::vector<Value> skipped;
    x = Twice(x, channels);
    for (int64_t level = 0; level < levels; ++level) {
      skipped.push_back(x);
      x = Normal(Convolution(b_, x, Extent(x, 1) * 2,
                             {.kernel = 3, .stride = 2}));
      x = Twice(x, Extent(x, 1));
    }
    for (; !skipped.empty(); skipped.pop_back()) {
      const int64_t narrow = Extent(x, 1) / 2;
      const Value wide = Up(x);
      x = Twice(b_.Concat({wide, skipped.back()}, 1), narrow);
    }
    return x;
  }

 private:
  Value Normal(Value x) {
    const Value normal =
        is_grouped_ ? GroupNorm(b_, x, 8) : InstanceNorm(b_, x);
    return is_grouped_ ? b_.Make("Swish", {normal})
                       : b_.Make("PRelu", {normal, b_.Number(x.type(), 0.01)});
  }
  Value Twice(Value x, int64_t channels) {
    x = Normal(Convolution(b_, x, channels, {.kernel = 3}));
    return Normal(Convolution(b_, x, channels, {.kernel = 3}));
  }
  Value Up(Value x) {
    const int64_t channels = Extent(x, 1);
    return is_grouped_ ? TransposedConvolution(b_, x, channels, channels)
                       : TransposedConvolution(b_, x, channels / 2);
  }

  BlockBuilder& b_;
  const bool is_grouped_;
};

}  // namespace

void BuildUnet(BlockBuilder& b, const Size& size) {
  const Value x = b.Input({1, 3, size.extent, size.extent});
  Value y = Unet(b, size).Run(x, size.channels, size.depth);
  y = Convolution(b, y, 4);
  b.Output(Softmax(b, y, 1));
}

}  // namespace dovetail::blocks
