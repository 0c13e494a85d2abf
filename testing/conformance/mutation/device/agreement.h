// Agreement of two computations of the same model.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_AGREEMENT_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_AGREEMENT_H_

#include <string>
#include <vector>

#include "dovetail/testing/conformance/mutation/mutator.h"

namespace dovetail {

// "" when `got` is near enough to `want`, which the reference kernels gave for
// the subject. Two orders of the same sums may differ by a rounding, and
// models can make any difference large, so that what decides is how the
// reference itself answers inputs and constants that are a few roundings off:
// an element may be off by some times what it then changes, and by a small part
// of the greatest element. A device that computes in f16 whatever the model
// says rounds as if the model were of that type; numbers beyond that type's are
// not compared.
std::string Disagreement(const Subject& subject, const std::vector<Tensor>& got,
                         const std::vector<Tensor>& want, bool computes_f16);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_DEVICE_AGREEMENT_H_
