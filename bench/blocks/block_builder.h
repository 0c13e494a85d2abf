// Builds a block: nodes by NodeBuilder, and weights in the form that a block has.
#ifndef DOVETAIL_BENCH_BLOCKS_BLOCK_BUILDER_H_
#define DOVETAIL_BENCH_BLOCKS_BLOCK_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/tensor.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail::blocks {

// How weights are stored.
enum class Form {
  kFloat,      // f32
  kQuantized,  // i8 with scales, behind activations that pass FakeQuantize
  kU8,         // u8 with zero points and scales in f16
  kI4,         // of matrices i4 with scales for groups of 64, else i8; in f16
};

const char* FormName(Form form);  // "f32", "quantized", "u8", "i4"

// All constants follow from the seed. Errors as NodeBuilder's.
class BlockBuilder : public NodeBuilder {
 public:
  // `root` is a node of `model` whose name begins those of the block's nodes.
  BlockBuilder(Model& model, const Node& root, Form form, unsigned seed)
      : NodeBuilder(model, root), form_(form), generator_(seed) {}

  Value Input(const Shape& shape, ElementType type = ElementType::kF32);
  void Output(Value value);
  // All outputs of an operation's newest version; `count` empty ones at least
  // after an error.
  std::vector<Value> MakeEach(OpType type, const std::vector<Value>& inputs,
                              const AttributeList& attributes, size_t count);

  // f32 from `low` to `high`.
  Value Floats(const Shape& shape, double low, double high);
  // Weights for sums of `fan_in` products, in the block's form, with a scale for
  // each index along the axes before `scaled_axes`. Sums of values with variance
  // 1 have it again.
  Value Weights(const Shape& shape, int64_t fan_in, int scaled_axes = 1);
  // The same for a matrix [outputs, inputs], in groups of inputs where the form
  // has them.
  Value Matrix(int64_t outputs, int64_t inputs);
  // What a layer with such weights reads for `x`: in a quantized block `x`
  // behind FakeQuantize, the same one for all readers.
  Value Activations(Value x);

 private:
  double Uniform();  // from 0 to 1
  Value Integers(ElementType type, const Shape& shape, int low, int high);
  // `codes` times random scales of that shape around `scale`, in `type`.
  Value Scaled(Value codes, const Shape& shape, double scale,
               ElementType type);
  Value UnsignedWeights(const Shape& shape, const Shape& scales, double limit);
  Value GroupedMatrix(int64_t outputs, int64_t inputs, double limit);

  const Form form_;
  std::mt19937 generator_;
  std::map<Value, Value> quantized_;
};

}  // namespace dovetail::blocks

#endif  // DOVETAIL_BENCH_BLOCKS_BLOCK_BUILDER_H_
