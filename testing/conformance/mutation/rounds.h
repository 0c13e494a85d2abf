// Rounds of mutations over the conformance cases of all operations: what the
// mutation tests have in common. Whatever links this has its main(), which
// reads flags after "--"; rounds.cc says which.
//
// What is being run is printed when it ends the process, as flags that run it
// again.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_ROUNDS_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_ROUNDS_H_

#include <functional>
#include <string>

#include "dovetail/testing/conformance/mutation/mutator.h"

namespace dovetail {

struct Trial {
  // The promise that was broken, and how; "" when all were kept.
  std::string broken;
  // How far it came: whether inference took the model, and whether it ran.
  bool inferred = false, ran = false;
};

// Tries one mutated subject.
using Attempt = std::function<Trial(Subject)>;

// Mutates each case so often, unless a flag says otherwise, and fails the test
// for each promise that was broken.
void RunRounds(const Attempt& attempt, int mutations);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_ROUNDS_H_
