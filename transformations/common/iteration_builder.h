// Builds a TensorIterator, its body in the same way as all formulas:
//
//   IterationBuilder loop(b);
//   const Value x = loop.Part(b.input(0), 1);
//   const Value sum = loop.State(b.input(1));
//   loop.SetNext(sum, loop.body().Add(sum, x));
//   return {loop.Finish()[0]};  // the last sum
#ifndef DOVETAIL_TRANSFORMATIONS_COMMON_ITERATION_BUILDER_H_
#define DOVETAIL_TRANSFORMATIONS_COMMON_ITERATION_BUILDER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "dovetail/core/graph/body.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

class IterationBuilder {
 public:
  // The loop becomes a node of `outer`, which has to outlive this.
  explicit IterationBuilder(NodeBuilder& outer);

  // Adds nodes of the body. (Its input() is of no use: these are values of the
  // other model.)
  NodeBuilder& body() { return builder_; }

  // What the body sees of a value outside: all of it, or element after element
  // of an axis, which stays with extent 1; `backwards` from the last one.
  Value Whole(Value value);
  Value Part(Value value, int64_t axis, bool backwards = false);
  // What the body has given in the iteration before; `first` in the first.
  Value State(Value first);

  // Sets what a state is in the next iteration. The last one is an output.
  void SetNext(Value state, Value next);
  // What all iterations give, joined along an axis, is an output.
  void ConcatOutput(Value value, int64_t axis, bool backwards = false);

  // Adds the loop. Its outputs are in the order of SetNext and
  // ConcatOutput.
  std::vector<Value> Finish();

 private:
  Value AddParameter(Value value, const PartialShape& shape);
  void AddOutput(Value value);
  static Slicing EachElement(int64_t axis, bool backwards);

  NodeBuilder& outer_;
  std::unique_ptr<Body> body_;
  NodeBuilder builder_;
  std::vector<Value> inputs_;
};

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_COMMON_ITERATION_BUILDER_H_
