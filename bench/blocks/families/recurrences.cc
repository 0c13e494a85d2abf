#include <string>
#include <vector>

#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

constexpr int kLayers = 2;

class Recurrence {
 public:
  Recurrence(BlockBuilder& b, const Size& size, bool is_lstm)
      : b_(b),
        is_lstm_(is_lstm),
        hidden_(size.channels),
        directions_(size.variant % 2 == 1 ? 2 : 1) {}

  // [1, steps, channels] -> [1, steps, hidden * directions].
  Value Layer(Value x) {
    const int64_t steps = Extent(x, 1), gates = is_lstm_ ? 4 : 3;
    // The peer refuses a GRU of quantized values whose weights are quantized.
    std::vector<Value> inputs = {is_lstm_ ? b_.Activations(x) : x, Zeros()};
    if (is_lstm_) inputs.push_back(Zeros());
    inputs.push_back(b_.Ints({steps}));
    inputs.push_back(Weights(gates, Extent(x, 2)));
    inputs.push_back(Weights(gates, hidden_));
    // A GRU that resets after its product has one bias more.
    inputs.push_back(b_.Floats({directions_, 4 * hidden_}, -0.2, 0.2));
    const OpType type =
        is_lstm_ ? OpType("LSTMSequence") : OpType("GRUSequence");
    const Value y = b_.MakeEach(type, inputs, SequenceAttributes(), 1)[0];
    return b_.ReshapeTo(b_.Transpose(y, {0, 2, 1, 3}),
                        {1, steps, directions_ * hidden_});
  }

 private:
  Value Zeros() { return b_.Floats({1, directions_, hidden_}, 0, 0); }
  Value Weights(int64_t gates, int64_t inputs) {
    return b_.Weights({directions_, gates * hidden_, inputs}, inputs, 2);
  }
  AttributeList SequenceAttributes() const {
    AttributeList list = {
        {"hidden_size", hidden_},
        {"direction",
         std::string(directions_ == 2 ? "bidirectional" : "forward")}};
    if (!is_lstm_) list.emplace_back("linear_before_reset", true);
    return list;
  }

  BlockBuilder& b_;
  const bool is_lstm_;
  const int64_t hidden_, directions_;
};

void BuildLayers(BlockBuilder& b, const Size& size, bool is_lstm) {
  Value x = b.Input({1, size.extent, size.channels});
  for (int i = 0; i < kLayers; ++i) {
    x = Recurrence(b, size, is_lstm).Layer(x);
  }
  b.Output(Softmax(b, Linear(b, x, 96)));
}

}  // namespace

void BuildGru(BlockBuilder& b, const Size& size) {
  BuildLayers(b, size, /*is_lstm=*/false);
}

void BuildLstm(BlockBuilder& b, const Size& size) {
  BuildLayers(b, size, /*is_lstm=*/true);
}

}  // namespace dovetail::blocks
