// Values that programs stumble over.
#ifndef DOVETAIL_TESTING_CONFORMANCE_MUTATION_SPECIAL_VALUES_H_
#define DOVETAIL_TESTING_CONFORMANCE_MUTATION_SPECIAL_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/core/tensor/types/element_type.h"
#include "dovetail/testing/conformance/mutation/random.h"

namespace dovetail {

// `extents` are numbers that matter to the model, such as extents of tensors:
// they and their neighbours, positive and negative, come often.
int64_t SpecialInteger(Random& random, const std::vector<int64_t>& extents);
// Not a number and infinite, too.
double SpecialNumber(Random& random, const std::vector<int64_t>& extents);
// The text with a change, or another one.
std::string SpecialText(Random& random, const std::string& text);
ElementType SpecialType(Random& random);

// A shape with one to three changes: extents 0, 1, of other axes, more or fewer
// axes, many axes. At most `max_elements` elements.
Shape SpecialShape(Random& random, Shape shape, int64_t max_elements);
// A partial shape near another one, of any size: unknown dimensions, intervals,
// enormous extents, other ranks.
PartialShape SpecialPartialShape(Random& random, const PartialShape& shape);
// The shape with some dimensions, all, or the rank unknown, so that it still
// contains what it did.
PartialShape LessKnown(Random& random, PartialShape shape);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_MUTATION_SPECIAL_VALUES_H_
