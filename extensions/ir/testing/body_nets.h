// Small IRs whose layers have bodies, for tests.
#ifndef DOVETAIL_EXTENSIONS_IR_TESTING_BODY_NETS_H_
#define DOVETAIL_EXTENSIONS_IR_TESTING_BODY_NETS_H_

#include <string>

namespace dovetail::ir {

// "sequence" f32[7,4] cut along axis 0 and "state" f32[1,4] -> layer "iterate"
// (id 9, ports 0 to 3) -> "last" f32[1,4] and "all" f32[7,4]. The body adds its
// Parameters x (id 0) and h (id 1) and gives the sum (Result y, id 3), which a
// back edge brings to h.
std::string TensorIteratorNet();

// The same as a Loop of 7 iterations (ports 0 to 5, inputs 0 and 1 its trip
// count and condition), whose body has a Parameter for the iteration's number
// (i, id 6) and a condition (Result go on, id 5).
std::string LoopNet();
// The weights that LoopNet needs: 7 as i64 and true.
std::string LoopWeights();

// "condition" boolean, "x" and "h" f32[1,4] -> If (id 3) -> "out"; both bodies
// add as above.
std::string IfNet();

// Add reads "x" f32[1] twice, within this many bodies.
std::string NestedNet(int depth);

}  // namespace dovetail::ir

#endif  // DOVETAIL_EXTENSIONS_IR_TESTING_BODY_NETS_H_
