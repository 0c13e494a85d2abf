// Models whose numbers float arithmetic takes well.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_ORDINARY_NUMBERS_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_ORDINARY_NUMBERS_H_

#include "dovetail/testing/conformance/mutation/mutator.h"

namespace dovetail {

// Whether all floats among inputs, constants and attributes, those of bodies
// too, are 0 or of a size whose fourth powers and their sums a float can hold.
// For others, it decides about infinity and NaN in which order an operation
// computes, and how wide its intermediate values are. And whether booleans of
// inputs are 0 or 1: for others it decides whether it looks at them as numbers.
// With `of_f16` squares have to fit into that type.
bool HasOrdinaryNumbers(const Subject& subject, bool of_f16);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_ORDINARY_NUMBERS_H_
