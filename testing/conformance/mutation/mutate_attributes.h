// Attributes near those that an operation has.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATE_ATTRIBUTES_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATE_ATTRIBUTES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/graph/attributes.h"
#include "dovetail/testing/conformance/mutation/random.h"

namespace dovetail {

// Changes the value of one attribute, whatever its type, to what a file could
// hold. Answers its name, "" when there is none.
std::string MutateAttribute(Random& random, const std::vector<int64_t>& extents,
                            Attributes& attributes);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_MUTATE_ATTRIBUTES_H_
