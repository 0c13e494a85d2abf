// Promises that hold for every model and input, sound or not.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_PROMISES_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_PROMISES_H_

#include "dovetail/testing/conformance/mutation/mutator.h"
#include "dovetail/testing/conformance/mutation/rounds.h"

namespace dovetail {

// Infers the model, folds constants of a copy, and runs both on the reference
// kernels. An error is an answer as good as outputs, but
//   - it has a message, and is not kInternal, which says that we are at fault;
//   - what could be inferred is a valid graph;
//   - outputs are of the types and shapes that inference gave, with elements in
//     the intervals that it knew;
//   - folding constants changes no output;
//   - nothing allocates much more than inputs and outputs take; larger outputs
//     than some are refused here, as by a caller with little memory.
// Not to crash, to hang or to do what C++ leaves undefined are further
// promises, which a caller learns of by other means.
Trial Try(Subject subject);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_PROMISES_H_
