#include <string>
#include <vector>

#include "dovetail/bench/blocks/families/families.h"
#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

constexpr int64_t kBest = 2;

// How much each of the experts counts for each token: [steps, experts].
Value Gate(BlockBuilder& b, Value x, int64_t experts) {
  // Routers stay f32: else a token may go to another expert.
  const Value weights = b.Floats({experts, Extent(x, -1)}, -0.3, 0.3);
  const Value scores = Softmax(b, b.MatMul(x, weights, false, true));
  const std::vector<Value> best =
      b.MakeEach("TopK", {scores, b.Int(kBest)},
                 {{"axis", int64_t{-1}},
                  {"mode", std::string("max")},
                  {"sort", std::string("value")},
                  {"index_element_type", ElementType::kI64}},
                 2);
  const Value shares = b.Divide(best[0], b.Reduce("ReduceSum", best[0], {-1}));
  const Value zeros = b.Floats({Extent(x, 0), experts}, 0, 0);
  return b.Make("ScatterElementsUpdate",
                {zeros, best[1], shares, b.Int(1)});
}

// All experts on all tokens: [experts, steps, channels].
Value Experts(BlockBuilder& b, Value x, int64_t experts) {
  const int64_t channels = Extent(x, -1), wide = channels * 2;
  const Value read = b.Activations(b.Unsqueeze(x, {0}));
  const Value inner =
      b.MatMul(read, b.Weights({experts, wide, channels}, channels, 2), false,
               true);
  const Value active = b.Activations(b.Make("Swish", {inner}));
  return b.MatMul(active, b.Weights({experts, channels, wide}, wide, 2), false,
                  true);
}

}  // namespace

void BuildMoeGate(BlockBuilder& b, const Size& size) {
  const int64_t experts = size.depth * 4;
  const Value x = b.Input({size.extent, size.channels});
  const Value normal = LayerNorm(b, x);
  const Value shares =
      b.Unsqueeze(b.Transpose(Gate(b, normal, experts), {1, 0}), {-1});
  const Value weighted = b.Multiply(Experts(b, normal, experts), shares);
  b.Output(b.Add(x, b.Reduce("ReduceSum", weighted, {0}, false)));
}

}  // namespace dovetail::blocks
