// The text form of a model, for people and for tests; parse.h of core/ops/text
// reads it.
//
//   model "classifier"
//   %0 = Parameter-0() {shape: [1,3], element_type: f32} : f32[1,3] "data"  # x
//   %1 = Constant-0() {value: f32[] {2}} : f32[]  # two
//   %2 = Multiply-1(%0, %1) {auto_broadcast: numpy} : f32[1,3]  # scale
//   %3 = Result-0(%2) {}  # scale/sink
//
// One line a node in topological order: number, operation, inputs (%2:1 is the
// second output of node 2, _ an input that is not connected), attributes, the
// outputs' types, shapes and tensor names, and after "#" the friendly name.
// Bodies follow their node between braces, indented:
//
//   %4 = Loop-5(%0, %1, %2) {} : f32[8,3]  # loop
//     body "b" inputs {2->0, 1->1} outputs {1->0} back_edges {} condition 0 {
//       %0 = …
//     }
//
// where "2->0" binds the node's input 2 to parameter 0, a result to an output,
// or a result to a parameter; "1->0 axis=0 start=0 end=-1 stride=1 part_size=1"
// does so in parts.
#ifndef DOVETAIL_CORE_GRAPH_TEXT_H_
#define DOVETAIL_CORE_GRAPH_TEXT_H_

#include <cstdint>
#include <string>

#include "dovetail/core/graph/model.h"

namespace dovetail {

struct TextOptions {
  // Constants of more elements are cut short, and can't be read back then.
  int64_t max_elements = 16;
  // Whether to show friendly names, tensor names and the model's name.
  bool with_names = true;
  // Whether to show what inference finds: outputs' types and shapes. Tensor
  // names are not shown without.
  bool with_types = true;
  // The order that depends on how nodes are connected only, and not on when
  // they were created; see CanonicalOrder in model/order.h.
  bool canonical_order = false;
};

// Never fails: a model with a cycle is shown in order of creation.
std::string ModelText(const Model& model, const TextOptions& options = {});

}  // namespace dovetail

#endif  // DOVETAIL_CORE_GRAPH_TEXT_H_
