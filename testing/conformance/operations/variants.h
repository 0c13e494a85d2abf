// The same computation with less known of it before it runs.
#ifndef DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_VARIANTS_H_
#define DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_VARIANTS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/shapes/partial_shape.h"
#include "dovetail/testing/conformance/operations/case_text.h"

namespace dovetail {

// The shapes of the first inference's inputs.
std::vector<PartialShape> InputShapes(const OperationCase& test_case);
// The same with all extents unknown, and with the ranks unknown too.
std::vector<PartialShape> UnknownExtents(const OperationCase& test_case);
std::vector<PartialShape> UnknownRanks(const OperationCase& test_case);

// A copy of a model whose parameters take these shapes, inferred.
absl::StatusOr<std::unique_ptr<Model>> WithShapes(
    const Model& model, const std::vector<PartialShape>& shapes);

// The case with the model's constants, but those of bodies, as further inputs.
// The error is that of inferring this model.
absl::StatusOr<OperationCase> WithConstantsAsInputs(
    const OperationCase& test_case);

// The model with the first inference's inputs as constants, inferred.
absl::StatusOr<std::unique_ptr<Model>> WithInputsAsConstants(
    const OperationCase& test_case);

// Whether the case comes out another way each time: it draws random numbers.
bool IsRandom(const OperationCase& test_case);

}  // namespace dovetail

#endif  // DOVETAIL_TESTING_CONFORMANCE_OPERATIONS_VARIANTS_H_
