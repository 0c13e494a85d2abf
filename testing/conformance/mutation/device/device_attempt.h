// Promises of a device for every model and input, sound or not.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_DEVICE_ATTEMPT_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_DEVICE_ATTEMPT_H_

#include "dovetail/testing/conformance/mutation/mutator.h"
#include "dovetail/testing/conformance/mutation/rounds.h"

namespace dovetail {

// Compiles the model for the device under test and infers, and does the same by
// the reference kernels.
//   - Where these give outputs, so does the device, and they agree; unless it
//     says before it runs that it lacks the operation.
//   - Where these do not, the device may give an error or outputs; it has to
//     come to an end when it is told to.
//   - Errors have a message and are not kInternal.
//   - Nothing allocates much more than that takes.
// Not to crash, to hang or to do what C++ leaves undefined are further
// promises, which a caller learns of by other means.
Trial TryOnDevice(Subject subject);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_DEVICE_ATTEMPT_H_
